import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  refreshAuthorization,
  selectClientAuthMethod,
} from "@modelcontextprotocol/sdk/client/auth.js";
import {
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { AppError } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import { sanitizeText } from "../tools/sanitize-text.ts";
import { checkScheme } from "./oauth-fetch.ts";
import type { Revocation } from "./revocations.ts";
import type { Registration, SignIn } from "./sign-in-records.ts";

// This file loads the protocol's library, so it is imported only when a person signs in or a token expires.

export interface SignInRequest {
  readonly serverUrl: string;
  readonly redirectUrl: string;
  readonly state: string;
  readonly scope: string | undefined;
  /** Registered client at the server, by an earlier registration or by an administrator. */
  readonly client: OAuthClientInformationMixed | undefined;
  readonly call: typeof fetch;
}

export interface StartedFlow extends Registration {
  readonly verifier: string;
  /** The page on which a person signs in. */
  readonly page: URL;
}

/** Discovers the authorization server, registers if needed, and returns the sign-in page. */
export async function startFlow(request: SignInRequest): Promise<StartedFlow> {
  const { serverUrl, redirectUrl, call } = request;
  const memory = createFlowState(request);
  const challenge = await fetchChallenge(serverUrl, call);
  const scope = request.scope ?? challenge.scope;
  await withAppErrors(() =>
    auth(memory.provider, {
      serverUrl,
      fetchFn: call,
      ...(scope !== undefined && { scope }),
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    }),
  );
  const { client, discovery, page, verifier } = memory;
  if (!client || !discovery || !page) throw mcpBridgeTexts.error("upstream_failed", "no_sign_in");
  checkScheme(page, serverUrl);
  return { client, discovery, page, verifier, redirectUrl };
}

export interface CodeExchange {
  readonly serverUrl: string;
  readonly code: string;
  readonly started: Registration & { readonly verifier: string };
  readonly call: typeof fetch;
}

/** Exchanges the code of the browser for tokens. */
export async function completeFlow({ serverUrl, code, started: begun, call }: CodeExchange): Promise<SignIn> {
  const { client, redirectUrl, discovery, verifier } = begun;
  const memory = createFlowState({ client, redirectUrl, state: "" }, { discovery, verifier });
  await withAppErrors(() => auth(memory.provider, { serverUrl, authorizationCode: code, fetchFn: call }));
  return { client: memory.client ?? client, redirectUrl, discovery, tokens: memory.tokens };
}

/** Returns new tokens; undefined when the server requires a person. */
export async function renewTokens(
  { client, discovery, tokens }: SignIn,
  call: typeof fetch,
): Promise<OAuthTokens | undefined> {
  if (!tokens?.refresh_token) return undefined;
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = discovery;
  const renew = () =>
    refreshAuthorization(authorizationServerUrl, {
      clientInformation: client,
      refreshToken: tokens.refresh_token ?? "",
      fetchFn: call,
      ...(metadata && { metadata }),
      ...(resourceMetadata && { resource: resourceMetadata.resource }),
    });
  try {
    return { ...(await renew()), ...(tokens.issuer !== undefined && { issuer: tokens.issuer }) };
  } catch (error) {
    if (isPermanentRejection(error)) return undefined;
    throw toAppError(error);
  }
}

/** Revokes access (RFC 7009). Rejects with `permission_denied` when the server rejects permanently. */
export async function revokeToken(revocation: Revocation, call: typeof fetch, signal?: AbortSignal): Promise<void> {
  const { address, token, client, authMethods } = revocation;
  const body = new URLSearchParams({ token, client_id: client.client_id });
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
  if (client.client_secret !== undefined) {
    const { client_id, client_secret } = client;
    if (selectClientAuthMethod(client, [...authMethods]) === "client_secret_post")
      body.set("client_secret", client_secret);
    else headers.set("authorization", `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`);
  }
  const answer = await call(address, { method: "POST", headers, body: body.toString(), ...(signal && { signal }) });
  await answer.body?.cancel();
  if (answer.ok) return;
  const isPassing = answer.status >= 500 || [408, 425, 429].includes(answer.status);
  const { host } = new URL(address);
  throw mcpBridgeTexts.error(isPassing ? "upstream_failed" : "permission_denied", "access_kept", {
    host,
    status: answer.status,
  });
}

interface FlowState {
  readonly provider: OAuthClientProvider;
  client: OAuthClientInformationMixed | undefined;
  tokens: OAuthTokens | undefined;
  discovery: OAuthDiscoveryState | undefined;
  verifier: string;
  page: URL | undefined;
}

/** Creates the in-memory state that the OAuth library reads and writes during one step. */
function createFlowState(
  { client, redirectUrl, state }: Pick<SignInRequest, "client" | "redirectUrl" | "state">,
  known: { readonly discovery?: OAuthDiscoveryState; readonly verifier?: string } = {},
): FlowState {
  const { discovery, verifier = "" } = known;
  const memory: Omit<FlowState, "provider"> = { client, discovery, verifier, tokens: undefined, page: undefined };
  const provider: OAuthClientProvider = {
    redirectUrl,
    get clientMetadata() {
      const offered = memory.discovery?.authorizationServerMetadata?.token_endpoint_auth_methods_supported ?? ["none"];
      const method = ["none", "client_secret_basic", "client_secret_post"].find((one) => offered.includes(one));
      return {
        client_name: "Parley",
        redirect_uris: [redirectUrl],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        ...(method !== undefined && { token_endpoint_auth_method: method }),
      };
    },
    state: () => state,
    clientInformation: () => memory.client,
    saveClientInformation: (one) => {
      memory.client = one;
    },
    tokens: () => undefined,
    saveTokens: (one) => {
      memory.tokens = one;
    },
    redirectToAuthorization: (url) => {
      memory.page = url;
    },
    saveCodeVerifier: (one) => {
      memory.verifier = one;
    },
    codeVerifier: () => memory.verifier,
    discoveryState: () => memory.discovery,
    saveDiscoveryState(found) {
      checkIssuer(found);
      memory.discovery = found;
    },
    invalidateCredentials(what) {
      if (what === "all" || what === "client") memory.client = undefined;
    },
  };
  return Object.assign(memory, { provider });
}

/**
 * Checks that the issuer matches the authorization server (RFC 8414 §3.3), so that no other server receives its
 * credentials; the library does not check it.
 */
function checkIssuer(found: OAuthDiscoveryState): void {
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  if (!metadata) return;
  // Servers of the first protocol version name no authorization server, and the issuer may have a path.
  if (!resourceMetadata && URL.parse(metadata.issuer)?.origin === new URL(authorizationServerUrl).origin) return;
  const bare = (url: string) => url.replace(/\/$/, "");
  if (bare(metadata.issuer) === bare(authorizationServerUrl)) return;
  throw mcpBridgeTexts.error("upstream_failed", "other_issuer", {
    server: authorizationServerUrl,
    issuer: metadata.issuer,
  });
}

/** Sends a request without a token and returns the parameters of the `WWW-Authenticate` challenge. */
async function fetchChallenge(serverUrl: string, call: typeof fetch) {
  const answer = await call(serverUrl, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });
  await answer.body?.cancel();
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
}

/** Returns true for a permanent rejection, as opposed to a temporary failure. */
function isPermanentRejection(error: unknown): boolean {
  const passes = [ServerError, TemporarilyUnavailableError, TooManyRequestsError];
  return error instanceof OAuthError && !passes.some((kind) => error instanceof kind);
}

async function withAppErrors<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    throw toAppError(error);
  }
}

function toAppError(error: unknown): AppError {
  if (AppError.is(error)) return error;
  const code = error instanceof OAuthError ? `${error.errorCode}: ` : "";
  const message = error instanceof Error ? error.message : String(error);
  const reason = sanitizeText(`${code}${message}`, 481);
  return mcpBridgeTexts.error("upstream_failed", "sign_in_failed", { reason }, { cause: error });
}
