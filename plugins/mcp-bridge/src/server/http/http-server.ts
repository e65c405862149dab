import {
  Accounts,
  AppError,
  Clock,
  ConfigSections,
  Grants,
  type Logger,
  openSharedWindow,
  ProtectedResource,
  type Resolver,
  Settings,
  ToolGuard,
  webSection,
} from "@parley/core";
import { Policy } from "../../keys.ts";
import type { McpSettings } from "../../settings.ts";
import { makeResources } from "../factories.ts";
import type { McpPeer, McpSession } from "../mcp-server.ts";
import { listRequiredScopes } from "../required-scopes.ts";
import { createHttpChecks, isLoopbackHost, RATE_WINDOW_MS } from "./http-checks.ts";
import { createHttpListener, type HttpListener } from "./http-listener.ts";
import { createHttpSessions } from "./http-sessions.ts";

export interface HttpServerDeps {
  readonly from: Resolver;
  readonly settings: McpSettings;
  readonly sessionFor: (peer: McpPeer) => McpSession;
  readonly log: Logger;
}

/** Listens on the configured address; the result ends the sessions of a credential, and all of them on disposal. */
export async function openHttpServer({ from, settings, sessionFor, log }: HttpServerDeps): Promise<HttpListener> {
  const { host, port, http_auth, allowed_hosts } = settings;
  const isLocal = isLoopbackHost(host);
  if (!isLocal) rejectOpenEndpoint(settings, from.find(Accounts), log);
  const clock = from.get(Clock);
  const sessions = createHttpSessions({ serverFor: (peer) => sessionFor(peer).server, clock, log });
  const web = webSection(from.get(ConfigSections), from.find(Settings));
  const published = URL.parse(web.public_base_url ?? "")?.hostname;
  const resource = from.find(ProtectedResource);
  const checks = createHttpChecks({
    accounts: () => from.find(Accounts),
    grants: () => from.find(Grants),
    ...(resource && { resource }),
    used: openSharedWindow(from, "mcp-requests", RATE_WINDOW_MS),
    allowedHosts: published === undefined ? allowed_hosts : [...allowed_hosts, published],
    allowedOrigins: splitList(web.cors_origins),
    isOpenOnLoopback: isLocal && http_auth === "off_on_loopback",
  });
  const offered = { guard: from.get(ToolGuard), policy: from.get(Policy), resources: makeResources(from) };
  const getRequiredScopes = (messages: unknown) => listRequiredScopes(messages, offered);
  const listener = await createHttpListener({
    host,
    port,
    checks,
    sessions,
    listRequiredScopes: getRequiredScopes,
    log,
  });
  const end = (credentialId: string) => {
    sessions
      .endByCredential(credentialId)
      .catch((error: unknown) => log.warn("sessions of a revoked credential could not be ended", { error }));
  };
  const forget = [from.find(Accounts)?.onRevoked(end), from.find(Grants)?.onRevoked(end)];
  log.info(`MCP is served at ${listener.address}`);
  return {
    address: listener.address,
    async [Symbol.asyncDispose]() {
      for (const undo of forget) undo?.();
      await listener[Symbol.asyncDispose]();
    },
  };
}

/** Other machines may only come where everybody shows a key. */
function rejectOpenEndpoint({ host, http_auth }: McpSettings, accounts: Accounts | undefined, log: Logger): void {
  if (http_auth !== "required") {
    throw new AppError("bad_request", `[mcp] http_auth: must be required when host is ${host}`);
  }
  if (!accounts?.hasKeyFor("mcp")) {
    throw new AppError(
      "conflict",
      `[mcp] host: ${host} is open to other machines, so make an API key with scope mcp first`,
    );
  }
  log.warn(`MCP listens on ${host}: put a proxy with TLS in front of it`);
}

function splitList(text = ""): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
