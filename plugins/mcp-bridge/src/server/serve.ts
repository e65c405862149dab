import {
  HostControl,
  type Logger,
  type McpPrompt,
  McpPrompts,
  McpResources,
  ProtocolStreams,
  type Resolver,
  type RouteTable,
  Settings,
  type StartContext,
  ToolGuard,
} from "@parley/core";
import { OwnSettings, Policy } from "../keys.ts";
import { createMcpServer, type McpPeer, type McpSession } from "./mcp-server.ts";
import { openHttpServer } from "./open-server.ts";
import { GATEWAY_PROMPTS } from "./prompts.ts";
import { createResources, type Resources } from "./resources.ts";
import { serviceRoutes } from "./service-routes.ts";
import { serveStdio } from "./stdio-server.ts";

/** Opens the entrance that section `[mcp]` names, when the service was started with `--mcp` or `--mcp-only`. */
export async function serve(from: Resolver, log: Logger, defer: StartContext<unknown>["defer"]): Promise<void> {
  const settings = from.get(OwnSettings);
  const sessionFor = sessionsOf(from);
  if (!settings.enabled) return;
  if (settings.transport === "streamable-http") {
    const listener = await openHttpServer({ from, settings, sessionFor, log });
    defer(async () => listener[Symbol.asyncDispose]());
    return;
  }
  const streams = from.find(ProtocolStreams);
  if (!streams) return;
  const session = sessionFor({ id: "stdio", transport: "stdio", confirms: true });
  const onEnd = () => {
    if (settings.only) from.get(HostControl).stop("the MCP client has gone");
  };
  await serveStdio({ ...streams, session, log, onEnd });
  defer(() => session.server.close());
}

export function makeServiceRoutes(from: Resolver): RouteTable {
  return serviceRoutes({
    settings: from.get(OwnSettings),
    policy: from.get(Policy),
    guard: from.get(ToolGuard),
    resources: resourcesOf(from),
    prompts: promptsOf(from),
    isStdioEnabled: () => from.find(Settings)?.get<boolean>("mcp.stdio_enabled") ?? false,
  });
}

/** Makes the server of a session. */
export function sessionsOf(from: Resolver): (peer: McpPeer) => McpSession {
  const guard = from.get(ToolGuard);
  const policy = from.get(Policy);
  const resources = resourcesOf(from);
  const prompts = promptsOf(from);
  const { version } = from.get(HostControl);
  return (peer) => createMcpServer({ guard, policy, resources, prompts, version }, peer);
}

function resourcesOf(from: Resolver): Resources {
  return createResources({
    guard: from.get(ToolGuard),
    policy: from.get(Policy),
    settings: from.get(OwnSettings),
    contributed: () => from.all(McpResources),
  });
}

function promptsOf(from: Resolver): () => readonly McpPrompt[] {
  return () => [...GATEWAY_PROMPTS, ...from.all(McpPrompts)];
}
