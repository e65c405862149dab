import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Client, createClient } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
let mcp: string;

beforeAll(async () => {
  const port = await findFreePort();
  mcp = `http://127.0.0.1:${port}/mcp`;
  parley = await startParley({
    config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nhttp_auth = off_on_loopback\n[web]\ntrusted_proxies = 127.0.0.1\n`,
  });
  api = await parley.signIn();
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

const open = (): Client => createClient(parley.address, "");

test("a valid token is accepted, however many wrong ones came from the same address", async () => {
  const wrong = () => open().send("POST", "/api/verify-token", { body: { token: `tok_${"w".repeat(43)}` } });
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await wrong()).status));
  expect(statuses.filter((status) => status === 401)).toHaveLength(30);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  expect(await open().post("/api/verify-token", { token: api.token })).toMatchObject({ valid: true });
  expect((await wrong()).status).toBe(429);
});

test("a socket that signs in with its first frame is accepted, however many silent ones came before", async () => {
  const address = `${parley.address.replace("http", "ws")}/api/ws`;
  const silent: WebSocket[] = [];
  for (let count = 0; count < 70; count += 1) {
    const headers = { "x-forwarded-for": `198.51.${count % 10}.7`, origin: parley.address };
    const socket = new WebSocket(address, ["parley.v1"], { headers });
    socket.on("error", () => {});
    silent.push(socket);
    await new Promise((resolve) => socket.once("open", resolve).once("error", resolve));
  }
  const headers = { "x-forwarded-for": "203.0.113.9", origin: parley.address };
  const socket = new WebSocket(address, ["parley.v1"], { headers });
  const first = new Promise((resolve) => socket.once("message", (text) => resolve(JSON.parse(String(text)))));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.send(JSON.stringify({ type: "auth", token: api.token }));
  expect(await first).toMatchObject({ type: "ready", username: "admin" });
  for (const one of [socket, ...silent]) one.terminate();
});

test("an MCP client with a key is accepted, however many anonymous sessions are open on this machine", async () => {
  const initialize = (authorization?: string) =>
    fetch(mcp, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(authorization && { authorization }),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } },
      }),
    });
  const statuses: number[] = [];
  for (let count = 0; count < 70; count += 1) statuses.push((await initialize()).status);
  expect([...new Set(statuses)]).toEqual([200]);
  const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "mcp", scopes: ["mcp"] });
  expect((await initialize(`Bearer ${secret}`)).status).toBe(200);
});
