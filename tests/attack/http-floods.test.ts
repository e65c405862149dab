import { definePlugin, RouteTables, route } from "@parley/core";
import { answerFields } from "@parley/core/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openRaw } from "../harness/http/raw-http.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
let running = 0;
let most = 0;
let begun = 0;
let release: (() => void)[] = [];

const slow = definePlugin({
  id: "slow",
  register({ contribute }) {
    contribute(RouteTables, () => [
      route({
        method: "GET",
        path: "/api/slow",
        summary: "waits for the test",
        auth: "open",
        data: answerFields.anything,
        async run() {
          running += 1;
          begun += 1;
          most = Math.max(most, running);
          await new Promise<void>((resolve) => release.push(resolve));
          running -= 1;
        },
      }),
    ]);
  },
});

beforeAll(async () => {
  parley = await startParley({ plugins: [slow] });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

const formatRequest = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;
const parseStatuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

test("the API description is generated once and not sent twice to the same client", async () => {
  for (const path of ["/api/openapi.json", "/api/docs"]) {
    const first = await api.send("GET", path, { token: "" });
    const etag = first.headers.get("etag") ?? "";
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)]);
    const again = await api.send("GET", path, { token: "", headers: { "if-none-match": etag } });
    expect([again.status, again.text]).toEqual([304, ""]);
  }
});

test("a packet full of requests is answered up to a limit, then the connection closes, and others do not wait", async () => {
  const attacker = await openRaw(parley.address);
  const sent = performance.now();
  attacker.send(formatRequest("/api/openapi.json").repeat(1_395));
  const others = await Promise.all(Array.from({ length: 5 }, () => api.send("GET", "/api/sessions")));
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(performance.now() - sent).toBeLessThan(5_000);
  expect(parseStatuses(await attacker.closed).length).toBeLessThanOrEqual(20);
});

test("requests on one connection run one at a time, and a normal number of them is answered in order", async () => {
  [running, most, begun, release] = [0, 0, 0, []];
  const client = await openRaw(parley.address);
  client.send(formatRequest("/api/slow").repeat(9) + formatRequest("/api/none"));
  await eventually(() => expect(running).toBe(1));
  while (begun < 9 || running > 0) {
    for (const go of release.splice(0)) go();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => expect(parseStatuses(client.text())).toEqual([...Array(9).fill(200), 401]));
  expect(most).toBe(1);
  client.socket.destroy();
});

test("queued requests are dropped with their connection", async () => {
  [running, most, begun, release] = [0, 0, 0, []];
  const client = await openRaw(parley.address);
  client.send(formatRequest("/api/slow").repeat(12));
  await eventually(() => expect(running).toBe(1));
  client.socket.destroy();
  await client.closed;
  for (const go of release.splice(0)) go();
  await eventually(() => expect(running).toBe(0));
  expect((await api.send("GET", "/api/sessions")).status).toBe(200);
  expect(begun).toBe(1);
});

test("a signed-in client is served before a crowd of anonymous ones, also of those with invalid credentials", async () => {
  [running, most, begun, release] = [0, 0, 0, []];
  const crowd = await Promise.all(Array.from({ length: 60 }, () => openRaw(parley.address)));
  for (const [at, one] of crowd.entries()) {
    const made = at % 2 === 0 ? "" : "Authorization: Bearer made-up\r\n";
    one.send(formatRequest("/api/startup-status", made).repeat(10));
  }
  const asked = performance.now();
  expect((await api.send("GET", "/api/sessions")).status).toBe(200);
  expect(performance.now() - asked).toBeLessThan(5_000);
  await eventually(() => expect(crowd.every((one) => parseStatuses(one.text()).length === 10)).toBe(true));
  for (const one of crowd) one.socket.destroy();
});
