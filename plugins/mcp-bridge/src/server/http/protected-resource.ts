import type { ProtectedResource } from "@parley/core";
import type { ToolPolicy } from "../../guard/tool-policy.ts";
import type { McpSettings } from "../../settings.ts";
import { listAvailableGrants } from "../grant-scopes.ts";
import { isLoopbackHost } from "./http-checks.ts";
import { MCP_PATH } from "./metadata-url.ts";

/** Creates the resource that OAuth clients access: at the public address when configured, else under names of this machine. */
export function createProtectedResource(
  { enabled, transport, host, port }: Pick<McpSettings, "enabled" | "transport" | "host" | "port">,
  policy: Pick<ToolPolicy, "covers">,
  publicBaseUrl: string,
): ProtectedResource {
  const isHttpTransport = enabled && transport === "streamable-http";
  const published = URL.parse(publicBaseUrl)?.origin;
  const isOwn = isLoopbackHost(host) || host === "0.0.0.0" || host === "::";
  const addressAt = (name: string) => {
    if (!isHttpTransport) return undefined;
    if (published !== undefined) return `${published}${MCP_PATH}`;
    const url = URL.parse(`http://${name}${MCP_PATH}`);
    // A service on another port is another one; its tokens must not be valid here.
    const isOurs = isOwn && url?.host === name && isLoopbackHost(url.hostname) && (url.port || "80") === String(port);
    return isOurs ? url.href : undefined;
  };
  const named = isLoopbackHost(host) ? host : "127.0.0.1";
  return {
    addressAt,
    address: addressAt(`${named.includes(":") ? `[${named}]` : named}:${port}`),
    scopes: listAvailableGrants(policy),
  };
}
