import {
  Accounts,
  AppError,
  Clock,
  ConfigSections,
  type Logger,
  type Resolver,
  Settings,
  webSection,
} from "@parley/core";
import type { McpSettings } from "../settings.ts";
import { createHttpChecks, isThisMachine } from "./http-checks.ts";
import { createHttpListener, type HttpListener } from "./http-listener.ts";
import { createHttpSessions } from "./http-sessions.ts";
import type { McpPeer, McpSession } from "./mcp-server.ts";

export interface HttpServerParts {
  readonly from: Resolver;
  readonly settings: McpSettings;
  readonly sessionFor: (peer: McpPeer) => McpSession;
  readonly log: Logger;
}

/** Listens on the configured address; what is returned ends the sessions of a credential, and everything when disposed. */
export async function openHttpServer({ from, settings, sessionFor, log }: HttpServerParts): Promise<HttpListener> {
  const { host, port, http_auth, allowed_hosts } = settings;
  const isLocal = isThisMachine(host);
  if (!isLocal) refuseOpenDoor(settings, from.find(Accounts), log);
  const clock = from.get(Clock);
  const sessions = createHttpSessions({ serverFor: (peer) => sessionFor(peer).server, clock, log });
  const checks = createHttpChecks({
    accounts: () => from.find(Accounts),
    clock,
    allowedHosts: allowed_hosts,
    allowedOrigins: listed(webSection(from.get(ConfigSections), from.find(Settings)).cors_origins),
    isOpenOnLoopback: isLocal && http_auth === "off_on_loopback",
  });
  const listener = await createHttpListener({ host, port, checks, sessions, log });
  const forget = from.find(Accounts)?.onRevoked((credentialId) => {
    sessions
      .endOf(credentialId)
      .catch((error: unknown) => log.warn("sessions of a revoked credential could not be ended", { error }));
  });
  log.info(`MCP is served at ${listener.address}`);
  return {
    address: listener.address,
    async [Symbol.asyncDispose]() {
      forget?.();
      await listener[Symbol.asyncDispose]();
    },
  };
}

/** Other machines may only come where everybody shows a key. */
function refuseOpenDoor({ host, http_auth }: McpSettings, accounts: Accounts | undefined, log: Logger): void {
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

function listed(text = ""): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
