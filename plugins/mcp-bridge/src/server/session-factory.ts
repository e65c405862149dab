import { HostControl, type Resolver, ToolGuard } from "@parley/core";
import { OwnInstallationId, Policy } from "../keys.ts";
import { makePrompts, makeResources } from "./factories.ts";
import { createMcpServer, type McpPeer, type McpServerDeps, type McpSession } from "./mcp-server.ts";

/** Creates the factory of session servers. */
export function createSessionFactory(from: Resolver): (peer: McpPeer) => McpSession {
  const deps = makeServerDeps(from);
  return (peer) => createMcpServer(() => deps, peer);
}

export function makeServerDeps(from: Resolver): McpServerDeps {
  return {
    guard: from.get(ToolGuard),
    policy: from.get(Policy),
    resources: makeResources(from),
    prompts: makePrompts(from),
    version: from.get(HostControl).version,
    getInstallationId: () => from.get(OwnInstallationId).get(),
  };
}
