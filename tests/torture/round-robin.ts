import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const POLL_INTERVAL_MS = 250;
const ANSWER_TIMEOUT_MS = 3_000;

/** A load balancer: each call goes to the next ready node, and to another one when that rejects it. */
export interface RoundRobin extends AsyncDisposable {
  readonly address: string;
}

/** Starts a load balancer; `addresses` returns the current addresses of all nodes. */
export async function startRoundRobin(addresses: () => readonly string[]): Promise<RoundRobin> {
  const ready = new Set<string>();
  let turn = 0;
  const look = async () => {
    const all = addresses();
    await Promise.all(all.map(async (one) => ready[(await isReady(one)) ? "add" : "delete"](one)));
    for (const one of ready) if (!all.includes(one)) ready.delete(one);
  };
  await look();
  const looking = setInterval(() => void look(), POLL_INTERVAL_MS);
  const server = createServer((request, response) => {
    turn += 1;
    const those = [...ready];
    void forward(request, response, [...those.slice(turn % those.length), ...those.slice(0, turn % those.length)]);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      clearInterval(looking);
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function isReady(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  return fetch(`${address}/api/startup-status`, { signal }).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function forward(request: IncomingMessage, response: ServerResponse, nodes: readonly string[]): Promise<void> {
  const body = new Uint8Array(await buffer(request));
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const { method = "GET", url = "/" } = request;
  for (const node of nodes) {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const asked = { method, headers: headers as Record<string, string>, signal, ...(body.length > 0 && { body }) };
    const answer = await fetch(`${node}${url}`, asked).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (!answer || text === undefined || answer.status === 503) continue;
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" }).end(text);
    return;
  }
  response.writeHead(503, { "retry-after": "1" }).end();
}
