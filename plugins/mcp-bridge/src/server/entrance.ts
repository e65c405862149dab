import { HostControl, type Logger, ProtocolStreams, type Resolver, type StartContext } from "@parley/core";
import { OwnSettings } from "../keys.ts";
import { openHttpServer } from "./open-server.ts";
import { sessionsOf } from "./sessions-of.ts";
import { serveStdio } from "./stdio-server.ts";

/** Opens the entrance that section `[mcp]` names, over HTTP or on standard input and output. */
export async function openEntrance(from: Resolver, log: Logger, defer: StartContext<unknown>["defer"]): Promise<void> {
  const settings = from.get(OwnSettings);
  const sessionFor = sessionsOf(from);
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
