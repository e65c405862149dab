import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRequestQueue } from "./request-queue.ts";

let log: string[];
const visit = (room: ReturnType<typeof createRequestQueue>, name: string, socket = new PassThrough()) =>
  room.wait(
    socket,
    () => log.push(`${name} enters`),
    () => log.push(`${name} is refused`),
  );

beforeEach(() => {
  vi.useFakeTimers();
  log = [];
});
afterEach(() => void vi.useRealTimers());

test("waiting requests run in order of arrival, and are not rejected later", () => {
  const room = createRequestQueue();
  for (const name of ["first", "second"]) visit(room, name);
  vi.advanceTimersByTime(1_999);
  expect(log).toEqual([]);
  room.open();
  vi.advanceTimersByTime(10_000);
  expect(log).toEqual(["first enters", "second enters"]);
});

test("a request waits at most two seconds", () => {
  const room = createRequestQueue();
  visit(room, "it");
  vi.advanceTimersByTime(2_000);
  room.open();
  expect(log).toEqual(["it is refused"]);
});

test("requests beyond the queue limit are rejected at once, the latest first", () => {
  const room = createRequestQueue({ most: 2 });
  for (const name of ["first", "second", "third"]) visit(room, name);
  expect(log).toEqual(["third is refused"]);
});

test("a disconnected client frees its place in the queue", () => {
  const room = createRequestQueue({ most: 1 });
  const socket = new PassThrough();
  visit(room, "gone", socket);
  socket.emit("close");
  visit(room, "next");
  room.open();
  expect(log).toEqual(["next enters"]);
});
