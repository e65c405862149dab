import { HostControl, McpPrompts, McpResources, type Resolver, ToolGuard } from "@parley/core";
import { OwnSettings, Policy } from "../keys.ts";
import { createMcpServer, type McpPeer, type McpSession } from "./mcp-server.ts";
import { GATEWAY_PROMPTS } from "./prompts.ts";
import { createResources } from "./resources.ts";

/** Makes the server of a session. */
export function sessionsOf(from: Resolver): (peer: McpPeer) => McpSession {
  const guard = from.get(ToolGuard);
  const policy = from.get(Policy);
  const contributed = () => from.all(McpResources);
  const resources = createResources({ guard, policy, contributed, settings: from.get(OwnSettings) });
  const prompts = () => [...GATEWAY_PROMPTS, ...from.all(McpPrompts)];
  const { version } = from.get(HostControl);
  return (peer) => createMcpServer({ guard, policy, resources, prompts, version }, peer);
}
