import { HostControl, type Resolver, ToolGuard } from "@parley/core";
import { OwnMark, Policy } from "../keys.ts";
import { createMcpServer, type McpPeer, type McpSession } from "./mcp-server.ts";
import { promptsOf, resourcesOf } from "./offers.ts";

/** Makes the server of a session. */
export function sessionsOf(from: Resolver): (peer: McpPeer) => McpSession {
  const guard = from.get(ToolGuard);
  const policy = from.get(Policy);
  const mark = () => from.get(OwnMark).said();
  const resources = resourcesOf(from);
  const prompts = promptsOf(from);
  const { version } = from.get(HostControl);
  return (peer) => createMcpServer({ guard, policy, resources, prompts, mark, version }, peer);
}
