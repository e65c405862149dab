import { AppError, type Logger, silentLogger, type WebhookRequest } from "@parley/core";
import { createMemoryWindow } from "@parley/core/limits";
import { createTestClock } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWebhookEndpoint, type WebhookEndpoint } from "./webhook-endpoint.ts";

let clock: ReturnType<typeof createTestClock>;
let endpoint: WebhookEndpoint;
let warnings: string[];

beforeEach(() => {
  warnings = [];
  const log: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
  clock = createTestClock();
  const window = createMemoryWindow(60_000, clock.monotonic);
  endpoint = createWebhookEndpoint(() => window, log, clock);
});

afterEach(() => vi.useRealTimers());

const call = (more: Partial<WebhookRequest> = {}) =>
  endpoint.receive(
    { id: "shop", config: {} },
    {},
    async ({ headers }) => {
      if (headers.word !== "sesame") throw new AppError("unauthorized", "no");
      return { body: {} };
    },
    { headers: { word: "sesame" }, body: new Uint8Array(), address: "10.0.0.9", ...more },
  );

test("an X-Forwarded-For header from an untrusted peer is logged once", async () => {
  for (let n = 0; n < 3; n += 1) await call({ headers: { word: "sesame", "x-forwarded-for": "203.0.113.7" } });
  expect(warnings).toEqual([expect.stringContaining("web.trusted_proxies")]);
});

test("a trusted proxy is not logged", async () => {
  const headers = { word: "sesame", "x-forwarded-for": "198.51.100.2, 203.0.113.7" };
  await call({ headers, address: "203.0.113.7" });
  expect(warnings).toEqual([]);
});

test("accepted messages of the platform are not counted against the limit", async () => {
  for (let n = 0; n < 30; n += 1)
    await expect(call({ headers: {}, isVerified: true })).rejects.toMatchObject({ code: "unauthorized" });
  await expect(call({ headers: {} })).rejects.toMatchObject({ code: "unauthorized" });
});

test("an open webhook without a configured limit accepts sixty requests a minute from each address", async () => {
  const post = (address: string) =>
    endpoint.receive({ id: "shop", config: {} }, { isOpen: true }, async () => ({ body: {} }), {
      headers: {},
      body: new Uint8Array(),
      address,
    });
  for (let n = 0; n < 60; n += 1) await post("10.0.0.1");
  await expect(post("10.0.0.1")).rejects.toMatchObject({ code: "rate_limited" });
  expect(await post("10.0.0.2")).toEqual({ body: {} });
});

describe("addresses of one IPv6 network (/64)", () => {
  const inNetwork = (n: number) => `2001:db8:1:2:${n.toString(16)}::${n.toString(16)}`;

  test("share the limit of an open webhook, and the neighbouring network has its own", async () => {
    const post = (address: string) =>
      endpoint.receive({ id: "shop", config: {} }, { isOpen: true }, async () => ({ body: {} }), {
        headers: {},
        body: new Uint8Array(),
        address,
      });
    for (let n = 1; n <= 60; n += 1) await post(inNetwork(n));
    await expect(post(inNetwork(61))).rejects.toMatchObject({ code: "rate_limited" });
    expect(await post("2001:db8:1:3::1")).toEqual({ body: {} });
  });

  test("share the limit of wrong secrets, and the right secret is still accepted", async () => {
    const guess = (address: string) => call({ headers: { word: "guess" }, address });
    for (let n = 1; n <= 20; n += 1) await expect(guess(inNetwork(n))).rejects.toMatchObject({ code: "unauthorized" });
    await expect(guess(inNetwork(21))).rejects.toMatchObject({ code: "rate_limited" });
    await expect(guess("2001:db8:1:3::1")).rejects.toMatchObject({ code: "unauthorized" });
    expect(await call({ address: inNetwork(22) })).toEqual({ body: {} });
  });
});

test.each([
  ["takes as many a minute as the service allows", {}, 2, 2],
  ["keeps to the limit of its channel before that of the service", { rate_limits: { ip: 3 } }, 2, 3],
  ["has no limit where the service sets none", {}, 0, undefined],
])("an open webhook %s", async (_, config, limit, taken) => {
  const window = createMemoryWindow(60_000, clock.monotonic);
  const limited = createWebhookEndpoint(
    () => window,
    silentLogger,
    clock,
    () => limit,
  );
  const request = { headers: {}, body: new Uint8Array(), address: "10.0.0.1" };
  const post = () => limited.receive({ id: "shop", config }, { isOpen: true }, async () => ({ body: {} }), request);
  for (let n = 0; n < (taken ?? 100); n += 1) await post();
  if (taken !== undefined) await expect(post()).rejects.toMatchObject({ code: "rate_limited" });
});

test("while the shared counters are unavailable, a wrong secret is reported as wrong and counted locally", async () => {
  const use = () => Promise.reject(new AppError("unavailable", "the storage cannot take this now"));
  const away = { ...createMemoryWindow(60_000, clock.monotonic), use };
  endpoint = createWebhookEndpoint(() => away, silentLogger, clock);
  const guess = () => call({ headers: { word: "guess" } });
  for (let n = 0; n < 20; n += 1) await expect(guess()).rejects.toMatchObject({ code: "unauthorized" });
  await expect(guess()).rejects.toMatchObject({ code: "rate_limited" });
  expect(await call()).toEqual({ body: {} });
});

test("a wrong secret is reported as wrong when the shared counters do not respond", async () => {
  vi.useFakeTimers();
  const silent = { ...createMemoryWindow(60_000, clock.monotonic), use: () => new Promise<never>(() => {}) };
  endpoint = createWebhookEndpoint(() => silent, silentLogger, clock);
  const rejected = expect(call({ headers: { word: "guess" } })).rejects.toMatchObject({ code: "unauthorized" });
  await vi.runAllTimersAsync();
  await rejected;
});
