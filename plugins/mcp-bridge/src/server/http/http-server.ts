import {
  Accounts,
  AppError,
  ConfigSections,
  Grants,
  type Logger,
  ProtectedResource,
  type Resolver,
  Settings,
} from "@parley/core";
import { webSection } from "@parley/core/http";
import { openSharedWindow } from "@parley/core/limits";
import type { McpSettings } from "../../settings.ts";
import { listRequiredScopes } from "../required-scopes.ts";
import { makeServerDeps } from "../session-factory.ts";
import { createHttpChecks, isLoopbackHost, RATE_WINDOW_MS } from "./http-checks.ts";
import type { HttpEndpoint } from "./http-endpoint.ts";

export interface HttpServerDeps {
  readonly from: Resolver;
  readonly settings: McpSettings;
  readonly endpoint: HttpEndpoint;
  readonly log: Logger;
}

/** Serves the clients of the endpoint until the returned function is called. */
export async function serveHttp({ from, settings, endpoint, log }: HttpServerDeps): Promise<() => Promise<void>> {
  const { host, http_auth, allowed_hosts } = settings;
  const isLocal = isLoopbackHost(host);
  if (!isLocal) rejectOpenEndpoint(settings, from.find(Accounts), log);
  const web = webSection(from.get(ConfigSections), from.find(Settings));
  const published = URL.parse(web.public_base_url ?? "")?.hostname;
  const resource = from.find(ProtectedResource);
  const checks = createHttpChecks({
    accounts: () => from.find(Accounts),
    grants: () => from.find(Grants),
    ...(resource && { resource }),
    requestCounts: openSharedWindow(from, "mcp-requests", RATE_WINDOW_MS),
    allowedHosts: published === undefined ? allowed_hosts : [...allowed_hosts, published],
    allowedOrigins: splitList(web.cors_origins),
    isOpenOnLoopback: isLocal && http_auth === "off_on_loopback",
  });
  const deps = makeServerDeps(from);
  const stop = await endpoint.serve({
    checks,
    deps,
    listRequiredScopes: (messages) => listRequiredScopes(messages, deps),
  });
  const end = (credentialId: string) => {
    endpoint
      .endByCredential(credentialId)
      .catch((error: unknown) => log.warn("sessions of a revoked credential could not be ended", { error }));
  };
  const forget = [from.find(Accounts)?.onRevoked(end), from.find(Grants)?.onRevoked(end)];
  return async () => {
    for (const undo of forget) undo?.();
    await stop();
  };
}

/** Rejects a configuration that admits other machines unless everybody needs a key and one exists. */
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
  log.warn("MCP is open to other machines: put a proxy with TLS in front of it", { host });
}

function splitList(text = ""): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
