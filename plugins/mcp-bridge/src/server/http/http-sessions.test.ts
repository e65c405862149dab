import type { IncomingMessage } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { silentLogger } from "@parley/core";
import { createMemoryWindow } from "@parley/core/limits";
import { createTestClock } from "@parley/testing";
import { describe, expect, it } from "vitest";
import type { McpPeer } from "../mcp-server.ts";
import { createHttpChecks } from "./http-checks.ts";
import { createHttpSessions } from "./http-sessions.ts";

const HOUR = 3_600_000;

function sessions() {
  const clock = createTestClock();
  const peers: McpPeer[] = [];
  const sessionFor = (peer: McpPeer) => {
    peers.push(peer);
    const server = new Server({ name: "test", version: "1" }, { capabilities: {} });
    return { server, whenIdle: () => Promise.resolve() };
  };
  return { clock, peers, all: createHttpSessions({ sessionFor, clock, log: silentLogger }) };
}

describe("sessions over HTTP", () => {
  it("have one server each, available only to the client that opened them", async () => {
    const { all, peers } = sessions();
    const one = await all.open({ id: "key_1" });
    const other = await all.open({ id: "key_1" });
    expect(one).not.toBe(other);
    const id = peers[0]?.session ?? "";
    expect(all.find(id, { id: "key_1" })).toBe(one);
    expect(() => all.find(id, { id: "key_2" })).toThrow(expect.objectContaining({ status: 404, code: -32_001 }));
  });

  it("end after an idle hour and after a day, however busy", async () => {
    const { all, peers, clock } = sessions();
    await all.open({ id: "key_1" });
    await all.open({ id: "key_1" });
    const [idle, busy] = peers.map(({ session }) => session ?? "");
    for (let minutes = 0; minutes < 24 * 60; minutes += 30) {
      clock.advance(HOUR / 2);
      all.find(busy ?? "", { id: "key_1" });
    }
    expect(() => all.find(idle ?? "", { id: "key_1" })).toThrow("initialize anew");
    clock.advance(1);
    expect(() => all.find(busy ?? "", { id: "key_1" })).toThrow("initialize anew");
    await all.sweep();
    expect(all.count()).toBe(0);
  });

  it("are limited to 16 for one credential and 64 in total", async () => {
    const { all } = sessions();
    for (let n = 0; n < 16; n += 1) await all.open({ id: "key_1" });
    await expect(all.open({ id: "key_1" })).rejects.toMatchObject({ status: 429 });
    for (let n = 0; n < 48; n += 1) await all.open({ id: `key_${2 + (n % 4)}` });
    await expect(all.open({ id: "key_9" })).rejects.toMatchObject({ status: 503 });
    await all.endByCredential("key_1");
    expect(all.count()).toBe(48);
  });
});

describe("the rate limit of a credential", () => {
  it("is 600 requests a minute", async () => {
    const clock = createTestClock();
    const window = createMemoryWindow(60_000, clock.monotonic);
    const checks = createHttpChecks({
      accounts: () => undefined,
      requestCounts: () => window,
      allowedHosts: [],
      allowedOrigins: [],
      isOpenOnLoopback: false,
    });
    const request = { method: "GET", headers: { accept: "text/event-stream" } } as IncomingMessage;
    for (let n = 0; n < 600; n += 1) await checks.checkRequest(request, "key_1");
    const rejected = expect.objectContaining({ status: 429, headers: { "retry-after": "60" } });
    await expect(checks.checkRequest(request, "key_1")).rejects.toEqual(rejected);
    await checks.checkRequest(request, "key_2");
    clock.advance(60_001);
    await checks.checkRequest(request, "key_1");
  });
});
