import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Resolver } from "@parley/core";
import { createSessionFactory } from "../../server/session-factory.ts";
import type { DialedTransport } from "./dial.ts";

/** Connects to the server in this process; a second process would overwrite its data. */
export async function dialInProcess(from: Resolver): Promise<DialedTransport> {
  const { server } = createSessionFactory(from)({ id: "model", transport: "in-process", confirms: false });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  return { transport: here, cause: () => undefined, close: (client) => client.close() };
}
