import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type McpHttpServer, startMcpHttpServer } from "./mcp-http-server.ts";

/** Deviations from the correct behaviour. */
export interface ServerBehavior {
  /** Issuer in its metadata, instead of its own. */
  issuer: string | undefined;
  /** Redirect target of its resource metadata. */
  redirect: string | undefined;
  /** Authorization server that it names, instead of itself. */
  authorizationServer: string | undefined;
  /** Error in the authorization response, instead of a code. */
  error: string | undefined;
  /** Status of token requests, instead of an answer. */
  tokenStatus: number;
  /** Token requests wait for this promise. */
  tokensAfter: Promise<void> | undefined;
  /** True to reject token refreshes. */
  rejectsRefresh: boolean;
  /** Scope that its tools require and no token has. */
  neededScope: string | undefined;
  /** False when clients must be registered by hand. */
  hasRegistration: boolean;
  /** Status of revocation requests; undefined when it never answers them. */
  revocationStatus: number | undefined;
}

/** An MCP server behind OAuth that grants access to everyone who opens its page. */
export interface OAuthMcpServer extends McpHttpServer {
  readonly manners: ServerBehavior;
  /** Requests as `<method> <path>`, and the forms of its token endpoint. */
  readonly asked: readonly string[];
  readonly forms: readonly Readonly<Record<string, string>>[];
  readonly revoked: readonly string[];
  /** Revocation requests that wait for an answer. */
  readonly waiting: ReadonlySet<string>;
  /** Number of calls rejected because of their token. */
  rejected(): number;
  /** Expires all access tokens issued so far. */
  expire(): void;
}

interface IssuedCode {
  readonly challenge: string;
  readonly redirectUri: string;
}

export async function startOAuthMcpServer(): Promise<OAuthMcpServer> {
  const manners: ServerBehavior = {
    ...{
      issuer: undefined,
      redirect: undefined,
      authorizationServer: undefined,
      error: undefined,
      neededScope: undefined,
      tokensAfter: undefined,
    },
    ...{ tokenStatus: 200, rejectsRefresh: false, hasRegistration: true, revocationStatus: 200 },
  };
  const asked: string[] = [];
  const forms: Readonly<Record<string, string>>[] = [];
  const revoked: string[] = [];
  const waiting = new Set<string>();
  const codes = new Map<string, IssuedCode>();
  const tokens = new Set<string>();
  const refreshTokens = new Set<string>();
  let rejections = 0;

  const issueTokens = () => {
    const [access_token, refresh_token] = [`at_${randomUUID()}`, `rt_${randomUUID()}`];
    tokens.add(access_token);
    refreshTokens.add(refresh_token);
    return { access_token, refresh_token, token_type: "Bearer", expires_in: 3600 };
  };
  const exchangeCode = (form: Readonly<Record<string, string>>) => {
    const { grant_type, code = "", code_verifier = "", redirect_uri, refresh_token = "" } = form;
    if (grant_type === "refresh_token")
      return !manners.rejectsRefresh && refreshTokens.delete(refresh_token) ? issueTokens() : undefined;
    const given = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256").update(code_verifier).digest("base64url");
    return given?.challenge === challenge && given.redirectUri === redirect_uri ? issueTokens() : undefined;
  };
  const createRedirect = (query: URLSearchParams, origin: string): string => {
    const back = new URL(query.get("redirect_uri") ?? "");
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("iss", origin);
    if (manners.error !== undefined) back.searchParams.set("error", manners.error);
    else {
      const code = randomUUID();
      codes.set(code, { challenge: query.get("code_challenge") ?? "", redirectUri: query.get("redirect_uri") ?? "" });
      back.searchParams.set("code", code);
    }
    return back.href;
  };
  const metadata = (origin: string) => ({
    issuer: manners.issuer ?? origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    revocation_endpoint: `${origin}/revoke`,
    ...(manners.hasRegistration && { registration_endpoint: `${origin}/register` }),
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
    authorization_response_iss_parameter_supported: true,
  });
  const interceptor = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const origin = `http://${request.headers.host}`;
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    asked.push(`${request.method} ${pathname}`);
    const send = (status: number, body: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
      return true;
    };
    const rows: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
      "/.well-known/oauth-protected-resource/mcp": () => {
        if (manners.redirect !== undefined) return send(302, {}, { location: manners.redirect });
        const authorization_servers = [manners.authorizationServer ?? origin];
        return send(200, { resource: `${origin}/mcp`, authorization_servers });
      },
      "/.well-known/oauth-authorization-server": () => send(200, metadata(origin)),
      "/register": async () => {
        if (!manners.hasRegistration) return send(404, {});
        return send(201, { ...JSON.parse(await text(request)), client_id: `client-${randomUUID()}` });
      },
      "/authorize": () => send(302, {}, { location: createRedirect(searchParams, origin) }),
      "/token": async () => {
        const form = Object.fromEntries(new URLSearchParams(await text(request)));
        forms.push(form);
        await manners.tokensAfter;
        if (manners.tokenStatus !== 200) return send(manners.tokenStatus, { error: "temporarily_unavailable" });
        const given = exchangeCode(form);
        return given ? send(200, given) : send(400, { error: "invalid_grant" });
      },
      "/revoke": async () => {
        const token = new URLSearchParams(await text(request)).get("token") ?? "";
        if (manners.revocationStatus === undefined) {
          waiting.add(token);
          response.once("close", () => waiting.delete(token));
          return true;
        }
        if (manners.revocationStatus === 200) revoked.push(token);
        return send(manners.revocationStatus, {});
      },
    };
    const row = rows[pathname];
    if (row) return row();
    if (pathname !== "/mcp") return send(404, {});
    const about = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (!tokens.has(token ?? "")) {
      rejections += 1;
      return send(401, {}, { "www-authenticate": `Bearer ${about}` });
    }
    if (manners.neededScope === undefined) return false;
    const scope = `Bearer error="insufficient_scope", scope="${manners.neededScope}", ${about}`;
    return send(403, {}, { "www-authenticate": scope });
  };
  const server = await startMcpHttpServer(interceptor);
  return Object.assign(server, {
    manners,
    asked,
    forms,
    revoked,
    waiting,
    rejected: () => rejections,
    expire: () => tokens.clear(),
  });
}
