import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

/** Opens a socket as our page does before sign-in; returns the status of the rejection, or 101 when it was accepted. */
async function openUnauthenticated(): Promise<{ readonly socket: WebSocket; readonly status: number }> {
  const socket = new WebSocket(`${parley.address.replace("http", "ws")}/api/ws`, { origin: parley.address });
  socket.on("error", () => {});
  const status = await Promise.race([
    once(socket, "open").then(() => 101),
    once(socket, "unexpected-response").then(([, response]) => Number(response.statusCode)),
  ]);
  return { socket, status };
}

test("any number of anonymous sockets displace no signed-in one", async () => {
  const crowd = await Promise.all(Array.from({ length: 100 }, openUnauthenticated));
  expect(crowd.filter(({ status }) => status === 101)).toHaveLength(16);
  expect(crowd.filter(({ status }) => status === 429)).toHaveLength(84);
  for (let count = 0; count < 20; count += 1) {
    using socket = await openSocket(api);
    await socket.next(({ type }) => type === "ready");
  }
  for (const { socket } of crowd) socket.terminate();
});

test("an expired key closes its socket within a moment", async () => {
  const expires_at = new Date(Date.now() + 1_500).toISOString();
  const { secret } = await api.post<{ secret: string }>("/api/api-keys", {
    name: "short",
    scopes: ["read"],
    expires_at,
  });
  const socket = new WebSocket(`${parley.address.replace("http", "ws")}/api/ws`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const [code] = await once(socket, "close", { signal: AbortSignal.timeout(10_000) });
  expect(code).toBe(4401);
});
