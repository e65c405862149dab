import { setTimeout as wait } from "node:timers/promises";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { DialParts, Line } from "./dial.ts";
import type { Entry } from "./entry.ts";
import { signedFetch } from "./sign-in/signed-fetch.ts";

/** Longer than any call may take: the protocol's own limits end it before. */
const CALL_MS = 11 * 60_000;
/** A stream of notices is quiet for long; keep-alives of servers come more often. */
const QUIET_MS = 24 * 3_600_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const FAREWELL_MS = 1_000;

/** Over the network, by the egress. */
export async function overHttp(entry: Entry, { egress, secrets, signIns }: DialParts): Promise<Line> {
  const { url, headers_env } = entry;
  const headers = Object.fromEntries(
    Object.entries(headers_env).map(([header, name]) => [header, secrets.valueOf(entry, name)]),
  );
  const call = egress.fetch({ reach: "private", timeoutMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES });
  const listen = egress.fetch({ reach: "private", timeoutMs: QUIET_MS, maxBytes: MAX_STREAM_BYTES });
  const plain = (address: string | URL, init?: RequestInit) =>
    init?.method === "GET" ? listen(address, init) : call(address, init);
  // Who was given a key for the server is not asked to sign in.
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: hasOwn ? plain : signedFetch(entry, signIns, plain),
  });
  return {
    // Its optional members are typed more loosely than the interface they implement.
    transport: transport as Transport,
    cause: () => undefined,
    async close(client) {
      // So that the server need not wait for the end of an idle session; that it has gone is no matter.
      const farewell = transport.terminateSession().catch(() => {});
      await Promise.race([farewell, wait(FAREWELL_MS, undefined, { ref: false })]);
      await client.close();
    },
  };
}
