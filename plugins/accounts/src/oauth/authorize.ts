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
import { accountFailure } from "../said-failures.ts";
import { loginBody } from "../schema.ts";
import type { SignIn } from "../sign-in.ts";
import type { Client, Clients } from "./clients.ts";
import type { OAuthDoor } from "./door.ts";
import type { GrantStore } from "./grants.ts";
import { OAuthError } from "./oauth-error.ts";
import { consentPage, type Fields, problemPage, signInPage } from "./page.ts";
import { answeredAt, isRegistered } from "./redirect-uri.ts";
import { textsFor } from "./texts.ts";
import { isSame } from "./tokens.ts";

/** What goes from page to page; nothing of a request is kept in between. */
export const ASKED = [
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
  /** The page that a client sends a person to. */
  show(fields: Fields, request: RouteRequest): Promise<RawReply>;
  signIn(form: Fields, request: RouteRequest): Promise<RawReply>;
  decide(form: Fields, request: RouteRequest): Promise<RawReply>;
}

export interface AuthorizeParts {
  readonly clients: Clients;
  readonly grants: GrantStore;
  readonly door: OAuthDoor;
  readonly signIn: () => SignIn;
  readonly log: Logger;
}

/** A request that is as it must be. */
interface Asked {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly resource: string;
  readonly scopes: readonly GrantScope[];
}

/** Why a request cannot be; `back` only when the client is known and the address is its own. */
class BadRequest extends Error {
  readonly back: string | undefined;
  readonly isUnknown: boolean;

  constructor(message: string, back?: string) {
    super(message);
    this.back = back;
    this.isUnknown = back === undefined;
  }
}

/** The authorization endpoint (RFC 6749 §4.1 with PKCE, RFC 8707, RFC 9207), for browsers with or without scripts. */
export function createAuthorize({ clients, grants, door, signIn, log }: AuthorizeParts): Authorize {
  const checked = async (fields: Fields, origin: string): Promise<Asked> => {
    const { client_id = "", redirect_uri = "", state } = fields;
    const client = await clients.find(client_id);
    if (!client || !isRegistered(redirect_uri, client.redirectUris)) throw new BadRequest("client_id, redirect_uri");
    try {
      return { client, redirectUri: redirect_uri, state, ...termsOf(fields, door) };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const iss = door.issuer(origin);
      const answer = { error: error.code, error_description: error.message, state, iss };
      throw new BadRequest(error.message, answeredAt(redirect_uri, answer));
    }
  };
  /** Shows what is wrong with a request instead. Nobody is led anywhere by a link alone: anybody can register a client. */
  const orProblem = async (fields: Fields, request: RouteRequest, run: (asked: Asked) => Promise<RawReply>) => {
    const texts = textsFor(request.headers["accept-language"]);
    try {
      return await run(await checked(fields, request.origin));
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      if (error.isUnknown) return problemPage(texts, { text: texts.unknownClient });
      const { message: detail, back } = error;
      return problemPage(texts, { text: texts.wrongRequest, detail, ...(back && { back }) });
    }
  };
  /** The narrowest right of those that may be given; of a client that has some already, the narrowest that gives it more. */
  const narrowest = async (asked: Asked, caller: Caller) => {
    const scopes = allowedBy(caller, asked);
    const isHeld = (one: { readonly client_id: string; readonly username: string }) =>
      one.client_id === asked.client.id && one.username === caller.username;
    const had = new Set((await grants.list()).find(isHeld)?.scopes.split(" "));
    return scopes.find((scope) => !had.has(scope)) ?? scopes.at(-1);
  };
  const consent = async (asked: Asked, fields: Fields, { caller, headers }: RouteRequest) =>
    consentPage(textsFor(headers["accept-language"]), {
      clientName: asked.client.name,
      redirectUri: asked.redirectUri,
      username: caller.username,
      scopes: allowedBy(caller, asked),
      chosen: await narrowest(asked, caller),
      fields: { ...only(fields), proof: proofOf(fields, headers.cookie) },
    });
  const leadBack = ({ redirectUri, state }: Asked, answer: Fields, origin: string): RawReply => {
    const location = answeredAt(redirectUri, { ...answer, state, iss: door.issuer(origin) });
    return rawReply({ type: "text/plain", body: "", status: 303, headers: { location, "cache-control": "no-store" } });
  };

  return {
    show: (fields, request) =>
      orProblem(fields, request, async (asked) =>
        isSignedIn(request)
          ? consent(asked, fields, request)
          : signInPage(textsFor(request.headers["accept-language"]), only(fields)),
      ),
    signIn: (form, request) =>
      orProblem(form, request, async () => {
        const texts = textsFor(request.headers["accept-language"]);
        const { value, error } = loginBody.validate({ username: form.username, password: form.password });
        if (error) return signInPage(texts, only(form), "wrong", { status: 400 });
        try {
          const { headers } = await signIn().login({ ...request, body: value });
          const location = `/authorize?${new URLSearchParams(Object.entries(only(form)))}`;
          return rawReply({ type: "text/plain", body: "", status: 303, headers: { ...headers, location } });
        } catch (error) {
          if (!AppError.is(error)) throw error;
          if (error.code === "unauthorized") return signInPage(texts, only(form), "wrong", { status: 401 });
          if (error.code !== "rate_limited") throw error;
          const headers = { "retry-after": String(error.retryAfterS ?? 60) };
          return signInPage(texts, only(form), "tooMany", { status: 429, headers });
        }
      }),
    decide: (form, request) =>
      orProblem(form, request, async (asked) => {
        const { caller, headers, origin } = request;
        const texts = textsFor(headers["accept-language"]);
        if (!isSignedIn(request)) return signInPage(texts, only(form));
        // Only the page that this login was shown carries it, for exactly this request.
        if (!isSame(form.proof ?? "", proofOf(form, headers.cookie)))
          throw accountFailure("permission_denied", "not_shown", {}, { field: "proof" });
        const about = { client: asked.client.id, name: asked.client.name, username: caller.username };
        if (form.decision !== "allow") {
          log.info("a client was refused by a person", about);
          return leadBack(asked, { error: "access_denied" }, origin);
        }
        const scopes = allowedBy(caller, asked);
        const level = scopes.indexOf(form.level as GrantScope);
        if (level < 0) throw accountFailure("bad_request", "wrong_level", {}, { field: "level" });
        const { client, resource, redirectUri, challenge } = asked;
        const given = scopes.slice(0, level + 1);
        const allowed = { clientId: client.id, caller, scopes: given, resource, redirectUri, challenge };
        const code = await grants.allow(allowed).catch((error: unknown) => {
          if (AppError.is(error) && error.code === "conflict") return undefined;
          throw error;
        });
        if (code === undefined) return problemPage(texts, { text: texts.full }, 409);
        log.info("a client was allowed by a person", { ...about, scopes: given.join(" ") });
        return leadBack(asked, { code }, origin);
      }),
  };
}

/** Nobody lets a client do what they may not do themselves. */
function allowedBy(caller: Caller, { scopes }: Asked): readonly GrantScope[] {
  return scopes.filter((scope) => hasScope(caller, scope));
}

/** What a request asks for, when it asks in the one way that is taken. */
function termsOf(fields: Fields, door: OAuthDoor): Pick<Asked, "challenge" | "resource" | "scopes"> {
  const served = door.resource();
  if (!served) throw new OAuthError("temporarily_unavailable", "nobody may log in now");
  if (fields.response_type !== "code") throw new OAuthError("unsupported_response_type", "response_type: must be code");
  const challenge = fields.code_challenge ?? "";
  if (fields.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "code_challenge: PKCE with S256 is required");
  const resource = fields.resource ?? served.address;
  if (resource === undefined || served.addressAt(URL.parse(resource)?.host ?? "") !== resource)
    throw new OAuthError("invalid_target", "resource: is not served here");
  const asked = (fields.scope ?? "").split(" ").filter((scope) => scope !== "");
  // Whoever may do more may do less, too.
  const widest = Math.max(...served.scopes.map((scope, at) => (asked.includes(scope) ? at : -1)));
  const scopes = asked.length === 0 ? served.scopes : GRANT_SCOPES.slice(0, widest + 1);
  if (scopes.length === 0) throw new OAuthError("invalid_scope", `scope: there are ${served.scopes.join(", ")}`);
  return { challenge, resource, scopes };
}

/** By the cookie of a browser: a page has no other credential, and a program needs no page. */
function isSignedIn({ caller, headers }: RouteRequest): boolean {
  return isPerson(caller) && headers.authorization === undefined;
}

/** Known to the service and to the browser that is signed in, and to nobody else; another for every request. */
function proofOf(fields: Fields, cookies: string | undefined): string {
  const secret = /(?:^|;\s*)svc_auth_token=([^;\s]+)/.exec(cookies ?? "")?.[1] ?? "";
  const asked = JSON.stringify(ASKED.map((name) => fields[name] || null));
  return createHmac("sha256", secret).update(`consent ${asked}`).digest("base64url");
}

function only(fields: Fields): Record<string, string> {
  return Object.fromEntries(ASKED.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}
