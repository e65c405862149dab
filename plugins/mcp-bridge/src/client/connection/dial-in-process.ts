import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Resolver } from "@parley/core";
import { createSessionFactory } from "../../server/session-factory.ts";
import type { DialedTransport } from "./dial.ts";

/** The way to the server of this very process: a second process would undo what this one writes. */
export async function dialInProcess(from: Resolver): Promise<DialedTransport> {
  const { server } = createSessionFactory(from)({ id: "model", transport: "in-process", confirms: false });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  return { transport: here, cause: () => undefined, close: (client) => client.close() };
}
