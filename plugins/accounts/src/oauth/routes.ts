import Joi from "@hapi/joi";
import {
  AppError,
  type RawReply,
  type RouteRequest,
  type RouteTable,
  rawReply,
  route,
  type SharedWindows,
} from "@parley/core";
import { answerFields, parseJsonBytes, shape } from "@parley/core/http";
import { createCheckLimit } from "../sign-in/login-limit.ts";
import type { AuthorizationServer } from "./authorization-server.ts";
import { type Authorize, REQUEST_FIELDS } from "./authorize.ts";
import type { Clients } from "./clients.ts";
import type { GrantStore } from "./grants/grant-store.ts";
import { OAuthError } from "./oauth-error.ts";
import type { Fields } from "./page.ts";

const MAX_FORM_BYTES = 16 * 1024;
const { text, texts, count, flag, word } = answerFields;

export interface OAuthRouteDeps {
  readonly server: AuthorizationServer;
  readonly clients: Clients;
  readonly grants: GrantStore;
  readonly authorize: Authorize;
  readonly windows: SharedWindows;
}

const HTML = { "text/html": text };
const authorizationQuery = Joi.object<Fields>(
  Object.fromEntries(REQUEST_FIELDS.map((name) => [name, Joi.string().allow("").max(4_000)])),
);
const errorData = shape({ error: text, error_description: text }, "OAuthFailure");
const jsonContent = (schema: Joi.Schema) => ({ "application/json": schema });
const resourceData = shape(
  {
    resource: text,
    resource_name: text,
    authorization_servers: texts,
    scopes_supported: texts,
    bearer_methods_supported: texts,
  },
  "ProtectedResource",
);
const serverData = shape(
  {
    issuer: text,
    authorization_endpoint: text,
    token_endpoint: text,
    registration_endpoint: text,
    revocation_endpoint: text,
    scopes_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    code_challenge_methods_supported: texts,
    authorization_response_iss_parameter_supported: flag,
  },
  "AuthorizationServer",
);
const clientData = shape(
  {
    client_id: text,
    client_id_issued_at: count,
    client_name: text,
    redirect_uris: texts,
    grant_types: texts,
    response_types: texts,
    token_endpoint_auth_method: word("none"),
  },
  "OAuthClient",
);
const tokenData = shape(
  { access_token: text, token_type: word("Bearer"), expires_in: count, refresh_token: text, scope: text },
  "OAuthTokens",
);

/** Creates the routes of the OAuth 2.1 login for MCP clients; they reject all requests while OAuth login is off. */
export function createOauthRoutes({
  server: authServer,
  clients,
  grants,
  authorize,
  windows,
}: OAuthRouteDeps): RouteTable {
  const limit = createCheckLimit(windows, "oauth");
  const served = () => {
    const resource = authServer.resource();
    if (!resource)
      throw new AppError("not_found", "clients cannot log in here: MCP is not served over HTTP, or the setting is off");
    return resource;
  };
  const aboutResource = ({ origin }: RouteRequest) => {
    const { address = "" } = served();
    return jsonReply(authServer.metadata(address, origin) ?? {});
  };
  const tokens = async (form: Fields) => {
    const { grant_type, client_id: clientId, resource } = form;
    if (!clientId) throw new OAuthError("invalid_request", "client_id: is missing");
    if (!(await clients.find(clientId)))
      throw new OAuthError("invalid_client", "client_id: is not registered", { status: 401 });
    if (grant_type === "authorization_code") {
      const { code = "", redirect_uri: redirectUri = "", code_verifier: verifier = "" } = form;
      return grants.exchange({ code, clientId, redirectUri, verifier, resource });
    }
    if (grant_type !== "refresh_token") throw new OAuthError("unsupported_grant_type", "grant_type: is not offered");
    const scopes = (form.scope ?? "").split(" ").filter((scope) => scope !== "");
    return grants.renew({ token: form.refresh_token ?? "", clientId, scopes, resource });
  };
  const open = { auth: "open", reply: "raw" } as const;
  const posted = { ...open, method: "POST", payload: "raw", maxBytes: MAX_FORM_BYTES } as const;

  return [
    ...["", "/mcp"].map((path) =>
      route({
        method: "GET",
        path: `/.well-known/oauth-protected-resource${path}`,
        summary: "get the protected resource metadata of MCP (RFC 9728)",
        data: jsonContent(resourceData),
        ...open,
        run: aboutResource,
      }),
    ),
    route({
      method: "GET",
      path: "/.well-known/oauth-authorization-server",
      summary: "get the authorization server metadata (RFC 8414)",
      data: jsonContent(serverData),
      ...open,
      run: ({ origin }) => jsonReply(toServerMetadata(authServer.issuer(origin), served().scopes)),
    }),
    route({
      ...posted,
      path: "/register",
      summary: "register a client (RFC 7591); it has no access until a person grants it",
      data: jsonContent(clientData),
      refused: errorData,
      run: (request) =>
        catchOAuthErrors(async () => {
          served();
          return jsonReply(await clients.register(parseJson(request), request.address), 201);
        }),
    }),
    route({
      ...open,
      method: "GET",
      path: "/authorize",
      summary: "show the page on which a person grants a client access",
      data: HTML,
      query: authorizationQuery,
      run(request) {
        served();
        return authorize.show(request.query, request);
      },
    }),
    route({
      ...posted,
      path: "/authorize",
      summary: "submit the person's decision",
      data: { ...HTML, "text/plain": text },
      run(request) {
        served();
        return authorize.decide(parseForm(request), request);
      },
    }),
    route({
      ...posted,
      path: "/authorize/sign-in",
      summary: "sign in on the authorization page",
      data: { ...HTML, "text/plain": text },
      run(request) {
        served();
        return authorize.signIn(parseForm(request), request);
      },
    }),
    route({
      ...posted,
      path: "/token",
      summary: "issue tokens to a client with access",
      data: jsonContent(tokenData),
      refused: errorData,
      run: (request) =>
        catchOAuthErrors(async () => {
          served();
          try {
            return jsonReply(await tokens(parseForm(request)));
          } catch (error) {
            if (error instanceof OAuthError) await limit.recordFailure(request.address);
            throw error;
          }
        }),
    }),
    route({
      ...posted,
      path: "/revoke",
      summary: "revoke a client's access (RFC 7009)",
      data: jsonContent(shape({})),
      refused: errorData,
      run: (request) =>
        catchOAuthErrors(async () => {
          served();
          const { token, client_id } = parseForm(request);
          if (!token) throw new OAuthError("invalid_request", "token: is missing");
          await grants.revokeToken(token, client_id);
          return jsonReply({});
        }),
    }),
  ];
}

function toServerMetadata(issuer: string, scopes: readonly string[]): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

function jsonReply(value: object, status = 200, headers: Readonly<Record<string, string>> = {}): RawReply {
  const allHeaders = { "cache-control": "no-store", ...headers };
  return rawReply({ type: "application/json", body: JSON.stringify(value), status, headers: allHeaders });
}

/** Converts errors to OAuth error answers, which clients expect instead of the envelope. */
async function catchOAuthErrors(run: () => Promise<RawReply>): Promise<RawReply> {
  const toErrorReply = ({ code, message, status, retryAfterS }: OAuthError) =>
    jsonReply(
      { error: code, error_description: message },
      status,
      retryAfterS === undefined ? {} : { "retry-after": String(retryAfterS) },
    );
  try {
    return await run();
  } catch (error) {
    if (error instanceof OAuthError) return toErrorReply(error);
    if (!AppError.is(error)) throw error;
    const { code, message, retryAfterS } = error;
    if (code === "bad_request") return toErrorReply(new OAuthError("invalid_request", message));
    if (code !== "rate_limited") throw error;
    return toErrorReply(new OAuthError("temporarily_unavailable", message, { status: 429, retryAfterS }));
  }
}

/** Parses a form; a repeated field is an error (RFC 6749 §3.1). */
function parseForm({ headers, parts: [part] }: RouteRequest): Fields {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? ""))
    throw new AppError("bad_request", "content-type: must be application/x-www-form-urlencoded");
  const form = new URLSearchParams(Buffer.from(part?.bytes ?? []).toString("utf8"));
  const names = [...form.keys()];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new AppError("bad_request", `${twice.slice(0, 40)}: is given twice`);
  return Object.fromEntries([...form].filter(([, value]) => value !== "" && !value.includes("\0")));
}

function parseJson({ headers, parts: [part] }: RouteRequest): unknown {
  if (!/^application\/json\b/i.test(headers["content-type"] ?? ""))
    throw new OAuthError("invalid_client_metadata", "content-type: must be application/json");
  try {
    return parseJsonBytes(part?.bytes ?? new Uint8Array());
  } catch {
    throw new OAuthError("invalid_client_metadata", "the body is no JSON");
  }
}
