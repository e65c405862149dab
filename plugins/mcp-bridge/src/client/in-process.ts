import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { McpSession } from "../server/mcp-server.ts";
import type { Line } from "./dial.ts";

/** The way to the server of this very process: a second process would undo what this one writes. */
export async function dialOurselves(session: McpSession): Promise<Line> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  await session.server.connect(there);
  return { transport: here, cause: () => "", close: (client) => client.close() };
}
