import { createTestClock } from "@parley/testing";
import { expect, test } from "vitest";
import { createHealth, type Health } from "./health.ts";

const MODEL = { key: "a", connection: "one" };
const FAILURE = { category: "server_error", statusCode: 500, detail: "broken", retryAfterMs: null } as const;

/** Creates two processes that receive each other's updates. */
function createTwoProcesses() {
  const clock = createTestClock(0);
  const one: Health = createHealth(clock, (news) => other.receive(JSON.parse(JSON.stringify(news))));
  const other: Health = createHealth(clock, (news) => one.receive(JSON.parse(JSON.stringify(news))));
  return { clock, one, other };
}

test("a model that failed at one process is paused at the others for as long, and available again at all of them", () => {
  const { clock, one, other } = createTwoProcesses();
  one.begin(MODEL)(FAILURE);
  expect(other.mayTry(MODEL)).toBe(false);
  expect(other.facts(MODEL)).toMatchObject({ failures: 1, coolingMs: 30_000, lastError: { detail: "broken" } });
  clock.advance(30_000);
  expect(other.mayTry(MODEL)).toBe(true);
  other.begin(MODEL)("ok");
  expect(one.facts(MODEL)).toMatchObject({ failures: 0, coolingMs: 0 });
});

test("a model that people retry is retried by all processes, and a changed connection counts as a new model", () => {
  const { one, other } = createTwoProcesses();
  one.begin(MODEL)(FAILURE);
  expect(other.mayTry({ ...MODEL, connection: "another" })).toBe(true);
  one.begin(MODEL)(FAILURE);
  other.reset("a");
  expect(one.mayTry(MODEL)).toBe(true);
});
