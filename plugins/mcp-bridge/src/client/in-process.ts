import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Resolver } from "@parley/core";
import { sessionsOf } from "../server/sessions-of.ts";
import type { Line } from "./dial.ts";

/** The way to the server of this very process: a second process would undo what this one writes. */
export async function dialOurselves(from: Resolver): Promise<Line> {
  const { server } = sessionsOf(from)({ id: "model", transport: "in-process", confirms: false });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  return { transport: here, cause: () => undefined, close: (client) => client.close() };
}
