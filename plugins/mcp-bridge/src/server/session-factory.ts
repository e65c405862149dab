import { HostControl, type Resolver, ToolGuard } from "@parley/core";
import { OwnInstallationId, Policy } from "../keys.ts";
import { makePrompts, makeResources } from "./factories.ts";
import { createMcpServer, type McpPeer, type McpSession } from "./mcp-server.ts";

/** Creates the factory of session servers. */
export function createSessionFactory(from: Resolver): (peer: McpPeer) => McpSession {
  const guard = from.get(ToolGuard);
  const policy = from.get(Policy);
  const mark = () => from.get(OwnInstallationId).get();
  const resources = makeResources(from);
  const prompts = makePrompts(from);
  const { version } = from.get(HostControl);
  return (peer) => createMcpServer({ guard, policy, resources, prompts, getInstallationId: mark, version }, peer);
}
