import { Clock, HostControl, type Logger, newId, ProtocolStreams, type Resolver } from "@parley/core";
import { OwnSettings } from "../keys.ts";
import { createHttpEndpoint } from "./http/http-endpoint.ts";
import { serveHttp } from "./http/http-server.ts";
import type { ServeContext } from "./serve.ts";
import { createSessionFactory } from "./session-factory.ts";
import { serveStdio } from "./stdio-server.ts";

/** Opens the transport configured in `[mcp]`: HTTP or standard input and output. */
export async function startMcpServer(
  from: Resolver,
  log: Logger,
  { defer, acrossReloads }: ServeContext,
): Promise<void> {
  const settings = from.get(OwnSettings);
  if (settings.transport === "streamable-http") {
    const make = () => createHttpEndpoint({ ...settings, clock: from.get(Clock), log });
    const endpoint = acrossReloads("http", make, (open) => open.end());
    defer(await serveHttp({ from, settings, endpoint, log }));
    return;
  }
  const sessionFor = createSessionFactory(from);
  const streams = from.find(ProtocolStreams);
  if (!streams) return;
  const session = sessionFor({ id: "stdio", transport: "stdio", confirms: true });
  const onEnd = () => {
    if (settings.only) from.get(HostControl).stop("the MCP client has gone");
  };
  await serveStdio({ ...streams, session, log, onEnd });
  defer(() => session.server.close());
}

/** Serves a local program as if it had started the service. */
export async function serveStdioClient(from: Resolver, log: Logger, streams: ProtocolStreams): Promise<void> {
  const session = createSessionFactory(from)({ id: newId("local"), transport: "stdio", confirms: true });
  await serveStdio({ ...streams, session, log, onEnd: () => void streams.output.end() });
}
