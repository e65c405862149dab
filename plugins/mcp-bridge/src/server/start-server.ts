import { HostControl, type Logger, newId, ProtocolStreams, type Resolver, type StartContext } from "@parley/core";
import { OwnSettings } from "../keys.ts";
import { openHttpServer } from "./http/http-server.ts";
import { createSessionFactory } from "./session-factory.ts";
import { serveStdio } from "./stdio-server.ts";

/** Opens the entrance that section `[mcp]` names, over HTTP or on standard input and output. */
export async function startMcpServer(
  from: Resolver,
  log: Logger,
  defer: StartContext<unknown>["defer"],
): Promise<void> {
  const settings = from.get(OwnSettings);
  const sessionFor = createSessionFactory(from);
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

/** Serves a program of this machine as a client that started the service itself. */
export async function serveStdioClient(from: Resolver, log: Logger, streams: ProtocolStreams): Promise<void> {
  const session = createSessionFactory(from)({ id: newId("local"), transport: "stdio", confirms: true });
  await serveStdio({ ...streams, session, log, onEnd: () => void streams.output.end() });
}
