import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { resolveWithin } from "@parley/core/async";
import { createAuthorizedFetch } from "../oauth/authorized-fetch.ts";
import type { Entry } from "../servers/entry.ts";
import type { DialDeps, DialedTransport } from "./dial.ts";

/** Exceeds the duration of any call, so that the protocol's own limits apply first. */
const CALL_TIMEOUT_MS = 11 * 60_000;
/** Idle timeout of notification streams, which may be silent for hours; servers send keep-alives more often. */
const STREAM_IDLE_TIMEOUT_MS = 24 * 3_600_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const TERMINATE_TIMEOUT_MS = 1_000;

/** Connects over the network, through egress. */
export async function dialHttp(entry: Entry, { egress, secrets, signIns }: DialDeps): Promise<DialedTransport> {
  const names = Object.entries(entry.headers_env);
  const headers = Object.fromEntries(names.map(([header, name]) => [header, secrets.getValue(entry, name)]));
  const call = egress.fetch({ reach: "private", timeoutMs: CALL_TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES });
  const listen = egress.fetch({ reach: "private", timeoutMs: STREAM_IDLE_TIMEOUT_MS, maxBytes: MAX_STREAM_BYTES });
  const sendRequest = (address: string | URL, init?: RequestInit) =>
    init?.method === "GET" ? listen(address, init) : call(address, init);
  // A server with a configured key needs no sign-in.
  const hasOwnAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const transport = new StreamableHTTPClientTransport(new URL(entry.url), {
    requestInit: { headers },
    fetch: hasOwnAuthorization ? sendRequest : createAuthorizedFetch(entry, signIns, sendRequest),
  });
  return {
    // Its optional members are typed more loosely than the interface they implement.
    transport: transport as Transport,
    cause: () => undefined,
    async close(client) {
      // Ends the session at the server, which would otherwise keep it idle; a failure does not matter.
      const termination = transport.terminateSession().catch(() => {});
      await resolveWithin(termination, TERMINATE_TIMEOUT_MS);
      await client.close();
    },
  };
}
