import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { type SocketEndpoint, silentLogger } from "@parley/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createUpgradeRouter } from "./upgrade-router.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Opens the client side of an upgrade at `/door`. */
function openUpgrade(take: SocketEndpoint["take"]) {
  const stream = Object.assign(new PassThrough(), { bytesWritten: 0 });
  const letIn = createUpgradeRouter([{ path: "/door", take }], silentLogger);
  letIn({ url: "/door" } as IncomingMessage, stream, Buffer.alloc(0));
  return stream;
}

test("an upgrade handler that does not answer is closed after ten seconds", () => {
  const stream = openUpgrade(() => {});
  vi.advanceTimersByTime(9_999);
  expect(stream.read()).toBeNull();
  vi.advanceTimersByTime(1);
  expect(String(stream.read())).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(stream.writableEnded).toBe(true);
});

test("an upgrade handler that answered is left alone", () => {
  const stream = openUpgrade((_request, given) => {
    given.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    Object.assign(given, { bytesWritten: 37 });
  });
  vi.advanceTimersByTime(10_000);
  expect(String(stream.read())).toBe("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  expect(stream.writableEnded).toBe(false);
});

test("a closed connection is not waited for", async () => {
  const stream = openUpgrade(() => {});
  expect(vi.getTimerCount()).toBe(1);
  stream.destroy();
  await new Promise((resolve) => stream.once("close", resolve));
  expect(vi.getTimerCount()).toBe(0);
});
