import { expect, test } from "vitest";
import { createDatabaseCheck } from "../check.ts";
import { createRoundTrips } from "./round-trips.ts";

const keysOf = async (times: readonly number[]) => {
  const trips = createRoundTrips();
  for (const ms of times) trips.record(ms);
  const check = createDatabaseCheck({
    readAddress() {},
    examineServer: async () => 1,
    getRoundTripMs: trips.getMedianMs,
  });
  return (await check.run()).map(({ key, parameters }) => [key, parameters]);
};
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

test("a near database is no finding, even if single answers are late", async () => {
  expect(await keysOf([...times(12, 0.5), ...times(8, 500)])).toEqual([]);
});

test("a database with a latency above 20 ms most of the time is a finding", async () => {
  expect(await keysOf([...times(8, 0.5), ...times(12, 120)])).toEqual([["storage.far", { ms: 120 }]]);
  // The last twenty count.
  expect(await keysOf([...times(12, 120), ...times(20, 0.5)])).toEqual([]);
});

test("a few measurements are no evidence", async () => {
  expect(await keysOf(times(9, 500))).toEqual([]);
});

test("the doctor measures the latency itself, and explains why a database cannot be used", async () => {
  const far = createDatabaseCheck({
    readAddress() {},
    examineServer: async () => 45.2,
    getRoundTripMs: () => undefined,
  });
  expect(await far.elsewhere?.()).toMatchObject([{ key: "storage.far", parameters: { ms: 45 } }]);
  const away = createDatabaseCheck({
    readAddress() {},
    examineServer: () => Promise.reject(new Error("it is away")),
    getRoundTripMs: () => undefined,
  });
  expect(await away.elsewhere?.()).toMatchObject([{ key: "storage.failing", said: { en: "it is away" } }]);
});
