import { setImmediate } from "node:timers/promises";
import type { Logger, ProtocolStreams } from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import { createLineTransport } from "../line-transport.ts";
import type { McpSession } from "./mcp-server.ts";

const FINISH_WITHIN_MS = 5_000;
const PARSE_ERROR = { jsonrpc: "2.0", error: { code: -32_700, message: "Parse error" }, id: null };

export interface StdioServerDeps extends ProtocolStreams {
  readonly session: McpSession;
  readonly log: Logger;
  /** Called when the client has left and running calls ended, or timed out. */
  readonly onEnd: () => void;
}

/** Serves the one client that started this process. */
export async function serveStdio({ input, output, session, log, onEnd }: StdioServerDeps): Promise<void> {
  const { server, whenIdle } = session;
  const finish = async () => {
    await resolveWithin(whenIdle(), FINISH_WITHIN_MS);
    // The responses of calls that just ended are written in this turn of the event loop.
    await setImmediate();
    await server.close();
    onEnd();
  };
  const transport = createLineTransport({
    input,
    output,
    onInvalidLine: () => transport.write(PARSE_ERROR),
    onEnd: (error) => {
      if (error) log.warn("the MCP client can no longer be read", { error });
      finish().catch((thrown: unknown) => log.error("the MCP session could not be ended", { error: thrown }));
    },
  });
  server.onerror = (error) => log.debug("the MCP session reported an error", { error });
  await server.connect(transport);
}
