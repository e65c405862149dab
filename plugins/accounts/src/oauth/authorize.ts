import { createHmac } from "node:crypto";
import {
  AppError,
  type Caller,
  GRANT_SCOPES,
  type GrantScope,
  hasScope,
  isPerson,
  type Logger,
  type RawReply,
  type RouteRequest,
  rawReply,
} from "@parley/core";
import { isEqualSecret } from "@parley/core/secrets";
import { loginBody } from "../schema.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import { accountsTexts } from "../texts.ts";
import type { AuthorizationServer } from "./authorization-server.ts";
import type { Client, Clients } from "./clients.ts";
import type { GrantStore } from "./grants/grant-store.ts";
import { OAuthError } from "./oauth-error.ts";
import { type Fields, renderConsentPage, renderProblemPage, renderSignInPage } from "./page.ts";
import { appendQuery, isRegistered } from "./redirect-uri.ts";
import { getPageTexts } from "./texts.ts";

/** Request fields passed from page to page; no request is stored in between. */
export const REQUEST_FIELDS = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
] as const;

export interface Authorize {
  /** Serves the page to which a client sends a person. */
  show(fields: Fields, request: RouteRequest): Promise<RawReply>;
  signIn(form: Fields, request: RouteRequest): Promise<RawReply>;
  decide(form: Fields, request: RouteRequest): Promise<RawReply>;
}

export interface AuthorizeDeps {
  readonly clients: Clients;
  readonly grants: GrantStore;
  readonly server: AuthorizationServer;
  readonly signIn: () => SignIn;
  readonly log: Logger;
}

interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly resource: string;
  readonly scopes: readonly GrantScope[];
}

/** Error of an authorization request; `back` is set only when the client is known and the redirect URI is its own. */
class AuthorizationRequestError extends Error {
  readonly back: string | undefined;
  readonly isUnknown: boolean;

  constructor(message: string, back?: string) {
    super(message);
    this.back = back;
    this.isUnknown = back === undefined;
  }
}

/** The authorization endpoint (RFC 6749 §4.1 with PKCE, RFC 8707, RFC 9207), for browsers with or without scripts. */
export function createAuthorize({ clients, grants, server: authServer, signIn, log }: AuthorizeDeps): Authorize {
  const validateRequest = async (fields: Fields, origin: string): Promise<AuthorizationRequest> => {
    const { client_id = "", redirect_uri = "", state } = fields;
    const client = await clients.find(client_id);
    if (!client || !isRegistered(redirect_uri, client.redirectUris))
      throw new AuthorizationRequestError("client_id, redirect_uri");
    try {
      return { client, redirectUri: redirect_uri, state, ...parseTerms(fields, authServer) };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const iss = authServer.issuer(origin);
      const answer = { error: error.code, error_description: error.message, state, iss };
      throw new AuthorizationRequestError(error.message, appendQuery(redirect_uri, answer));
    }
  };
  /** Renders the problem of a request instead. An invalid link never redirects, because anyone can register a client. */
  const renderProblems = async (
    fields: Fields,
    request: RouteRequest,
    run: (asked: AuthorizationRequest) => Promise<RawReply>,
  ) => {
    const texts = getPageTexts(request.headers["accept-language"]);
    try {
      return await run(await validateRequest(fields, request.origin));
    } catch (error) {
      if (!(error instanceof AuthorizationRequestError)) throw error;
      if (error.isUnknown) return renderProblemPage(texts, { text: texts.unknownClient });
      const { message: detail, back } = error;
      return renderProblemPage(texts, { text: texts.wrongRequest, detail, ...(back && { back }) });
    }
  };
  /** Returns the narrowest grantable scope; for a client with a grant, the narrowest that adds rights. */
  const getDefaultScope = async (asked: AuthorizationRequest, caller: Caller) => {
    const scopes = filterAllowedScopes(caller, asked);
    const isGranted = (one: { readonly client_id: string; readonly username: string }) =>
      one.client_id === asked.client.id && one.username === caller.username;
    const had = new Set((await grants.list()).find(isGranted)?.scopes.split(" "));
    return scopes.find((scope) => !had.has(scope)) ?? scopes.at(-1);
  };
  const renderConsent = async (asked: AuthorizationRequest, fields: Fields, { caller, headers }: RouteRequest) =>
    renderConsentPage(getPageTexts(headers["accept-language"]), {
      clientName: asked.client.name,
      redirectUri: asked.redirectUri,
      username: caller.username,
      scopes: filterAllowedScopes(caller, asked),
      chosen: await getDefaultScope(asked, caller),
      fields: { ...pickRequestFields(fields), proof: createConsentProof(fields, headers.cookie) },
    });
  const redirectBack = ({ redirectUri, state }: AuthorizationRequest, answer: Fields, origin: string): RawReply => {
    const location = appendQuery(redirectUri, { ...answer, state, iss: authServer.issuer(origin) });
    return rawReply({ type: "text/plain", body: "", status: 303, headers: { location, "cache-control": "no-store" } });
  };

  return {
    show: (fields, request) =>
      renderProblems(fields, request, async (asked) =>
        isSignedIn(request)
          ? renderConsent(asked, fields, request)
          : renderSignInPage(getPageTexts(request.headers["accept-language"]), pickRequestFields(fields)),
      ),
    signIn: (form, request) =>
      renderProblems(form, request, async () => {
        const texts = getPageTexts(request.headers["accept-language"]);
        const { value, error } = loginBody.validate({ username: form.username, password: form.password });
        if (error) return renderSignInPage(texts, pickRequestFields(form), "wrong", { status: 400 });
        try {
          const { headers } = await signIn().login({ ...request, body: value });
          const location = `/authorize?${new URLSearchParams(Object.entries(pickRequestFields(form)))}`;
          return rawReply({ type: "text/plain", body: "", status: 303, headers: { ...headers, location } });
        } catch (error) {
          if (!AppError.is(error)) throw error;
          if (error.code === "unauthorized")
            return renderSignInPage(texts, pickRequestFields(form), "wrong", { status: 401 });
          if (error.code !== "rate_limited") throw error;
          const headers = { "retry-after": String(error.retryAfterS ?? 60) };
          return renderSignInPage(texts, pickRequestFields(form), "tooMany", { status: 429, headers });
        }
      }),
    decide: (form, request) =>
      renderProblems(form, request, async (asked) => {
        const { caller, headers, origin } = request;
        const texts = getPageTexts(headers["accept-language"]);
        if (!isSignedIn(request)) return renderSignInPage(texts, pickRequestFields(form));
        // The proof is only on the page that this login was shown, and applies to exactly this request.
        if (!isEqualSecret(form.proof ?? "", createConsentProof(form, headers.cookie)))
          throw accountsTexts.error("permission_denied", "not_shown", {}, { field: "proof" });
        const about = { client: asked.client.id, name: asked.client.name, username: caller.username };
        if (form.decision !== "allow") {
          log.info("a person denied a client access", about);
          return redirectBack(asked, { error: "access_denied" }, origin);
        }
        const scopes = filterAllowedScopes(caller, asked);
        const level = scopes.indexOf(form.level as GrantScope);
        if (level < 0) throw accountsTexts.error("bad_request", "wrong_level", {}, { field: "level" });
        const { client, resource, redirectUri, challenge } = asked;
        const given = scopes.slice(0, level + 1);
        const allowed = { clientId: client.id, caller, scopes: given, resource, redirectUri, challenge };
        const code = await grants.allow(allowed).catch((error: unknown) => {
          if (AppError.is(error) && error.code === "conflict") return undefined;
          throw error;
        });
        if (code === undefined) return renderProblemPage(texts, { text: texts.full }, 409);
        log.info("a person granted a client access", { ...about, scopes: given.join(" ") });
        return redirectBack(asked, { code }, origin);
      }),
  };
}

function filterAllowedScopes(caller: Caller, { scopes }: AuthorizationRequest): readonly GrantScope[] {
  return scopes.filter((scope) => hasScope(caller, scope));
}

/** Parses the terms of a request; throws `OAuthError` for anything but code flow with PKCE (S256). */
function parseTerms(
  fields: Fields,
  authServer: AuthorizationServer,
): Pick<AuthorizationRequest, "challenge" | "resource" | "scopes"> {
  const served = authServer.resource();
  if (!served) throw new OAuthError("temporarily_unavailable", "nobody may log in now");
  if (fields.response_type !== "code") throw new OAuthError("unsupported_response_type", "response_type: must be code");
  const challenge = fields.code_challenge ?? "";
  if (fields.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "code_challenge: PKCE with S256 is required");
  const resource = fields.resource ?? served.address;
  if (resource === undefined || served.addressAt(URL.parse(resource)?.host ?? "") !== resource)
    throw new OAuthError("invalid_target", "resource: is not served here");
  const asked = (fields.scope ?? "").split(" ").filter((scope) => scope !== "");
  // A wider scope includes the narrower ones.
  const widest = Math.max(...served.scopes.map((scope, at) => (asked.includes(scope) ? at : -1)));
  const scopes = asked.length === 0 ? served.scopes : GRANT_SCOPES.slice(0, widest + 1);
  if (scopes.length === 0) throw new OAuthError("invalid_scope", `scope: there are ${served.scopes.join(", ")}`);
  return { challenge, resource, scopes };
}

/** True for a person who is signed in by the browser's cookie; pages accept no other credential. */
function isSignedIn({ caller, headers }: RouteRequest): boolean {
  return isPerson(caller) && headers.authorization === undefined;
}

/** Creates a proof known only to the service and the signed-in browser, different for every request. */
function createConsentProof(fields: Fields, cookies: string | undefined): string {
  const secret = /(?:^|;\s*)svc_auth_token=([^;\s]+)/.exec(cookies ?? "")?.[1] ?? "";
  const asked = JSON.stringify(REQUEST_FIELDS.map((name) => fields[name] || null));
  return createHmac("sha256", secret).update(`consent ${asked}`).digest("base64url");
}

function pickRequestFields(fields: Fields): Record<string, string> {
  return Object.fromEntries(REQUEST_FIELDS.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}
