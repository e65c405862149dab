import {
  LocalConnections,
  type Logger,
  type ProtocolStreams,
  type Resolver,
  type RouteTable,
  Settings,
  type StartContext,
  ToolGuard,
} from "@parley/core";
import { OwnSettings, Policy } from "../keys.ts";
import { STDIO_ENABLED } from "../stdio-setting.ts";
import { makePrompts, makeResources } from "./factories.ts";
import { createServiceRoutes } from "./service-routes.ts";

/** The start context of MCP serving. */
export type ServeContext = Pick<StartContext<unknown>, "defer" | "acrossReloads">;

/** Serves MCP clients when the service was started with `--mcp` or `--mcp-only`; only then its library is loaded. */
export async function serve(from: Resolver, log: Logger, context: ServeContext): Promise<void> {
  if (!from.get(OwnSettings).enabled) return;
  const { startMcpServer } = await import("./start-server.ts");
  await startMcpServer(from, log, context);
}

/** Serves the clients that `--mcp-only` connects to a running service; the library is loaded with the first of them. */
export async function serveLocalClients(from: Resolver, log: Logger, defer: StartContext<unknown>["defer"]) {
  const connections = from.find(LocalConnections);
  if (!connections || from.get(OwnSettings).only) return;
  const serveOne = async (streams: ProtocolStreams) => {
    const { serveStdioClient: serveLocal } = await import("./start-server.ts");
    await serveLocal(from, log, streams);
  };
  const end = await connections.serve((streams) => {
    serveOne(streams).catch((error: unknown) => {
      log.error("an MCP client of this machine could not be served", { error });
      streams.output.end();
    });
  });
  defer(end);
}

export function makeServiceRoutes(from: Resolver): RouteTable {
  return createServiceRoutes({
    settings: from.get(OwnSettings),
    policy: from.get(Policy),
    guard: from.get(ToolGuard),
    resources: makeResources(from),
    prompts: makePrompts(from),
    isStdioEnabled: () => from.find(Settings)?.get(STDIO_ENABLED) ?? false,
  });
}
