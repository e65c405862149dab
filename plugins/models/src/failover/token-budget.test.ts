import { silentLogger } from "@parley/core";
import { createTestClock, memoryDatabase } from "@parley/testing";
import { describe, expect, it } from "vitest";
import { MODEL_MIGRATIONS } from "../migrations.ts";
import { createTokenUsage } from "../usage/token-usage.ts";
import { createTokenBudget } from "./token-budget.ts";

const HOUR = 3_600_000;

/** Creates a budget at the time `now`, after these tokens were used. */
async function createBudgetAt(
  now: string,
  earlier: readonly (readonly [time: string, tokens: number])[],
  zone = "UTC",
) {
  const database = memoryDatabase();
  await database.migrate("models", MODEL_MIGRATIONS);
  const tables = () => database.tables<{ token_usage: Record<string, unknown> }>();
  for (const [index, [time, tokens]] of earlier.entries()) {
    const row = {
      id: `use_${index}`,
      time,
      model_id: "a",
      model: "m",
      purpose: "chat",
      cost: null,
      duration_ms: 1,
      ok: 1,
    };
    const values = { ...row, input_tokens: tokens, output_tokens: 0, total_tokens: tokens };
    await database.write([{ query: tables().insertInto("token_usage").values(values) }]);
  }
  const clock = createTestClock(Date.parse(now));
  let timeZone = zone;
  const moveTo = (other: string) => {
    timeZone = other;
  };
  const budget = createTokenBudget({ database, clock, timeZone: () => timeZone });
  return { budget, clock, moveTo };
}

describe("the token usage of a model", () => {
  it("includes all processes as stored, and is never less than its own", async () => {
    const database = memoryDatabase();
    await database.migrate("models", MODEL_MIGRATIONS);
    const clock = createTestClock(Date.parse("2026-01-07T12:00:00.000Z"));
    const parts = { database, isShared: () => true, clock, timeZone: () => "UTC" };
    const [budget, usage] = [createTokenBudget(parts), createTokenBudget({ ...parts, isShared: () => false })];
    const otherUsage = createTokenUsage({
      database,
      clock,
      log: silentLogger,
      budget: usage,
      pricesOf: async () => undefined,
    });
    budget.add("a", 5);
    expect(await budget.getUsed("a")).toEqual({ daily: 5, weekly: 5 });
    const call = {
      model_id: "a",
      model: "m",
      purpose: "chat",
      session_id: null,
      user: null,
      trace_id: null,
      duration_ms: 1,
      ok: true,
    };
    await otherUsage.record({ ...call, input_tokens: 100, output_tokens: 20 } as never);
    await otherUsage.flush();
    clock.advance(11_000);
    expect(await budget.getUsed("a")).toEqual({ daily: 120, weekly: 120 });
  });

  it("includes today and this week since Monday, also before the start", async () => {
    const { budget } = await createBudgetAt("2026-01-07T12:00:00.000Z", [
      ["2026-01-04T23:59:59.999Z", 1],
      ["2026-01-05T00:00:00.000Z", 10],
      ["2026-01-07T00:00:00.000Z", 100],
    ]);
    budget.add("a", 1000);
    expect(await budget.getUsed("a")).toEqual({ daily: 1100, weekly: 1110 });
    expect(await budget.getUsed("b")).toEqual({ daily: 0, weekly: 0 });
  });

  it("resets at midnight and on Monday", async () => {
    const { budget, clock } = await createBudgetAt("2026-01-10T23:00:00.000Z", [["2026-01-10T10:00:00.000Z", 10]]);
    budget.add("a", 1);
    clock.advance(HOUR);
    budget.add("a", 2);
    expect(await budget.getUsed("a")).toEqual({ daily: 2, weekly: 13 });
    clock.advance(24 * HOUR);
    expect(await budget.getUsed("a")).toEqual({ daily: 0, weekly: 0 });
  });

  it("follows the service's time zone, also on a day with 23 hours", async () => {
    const { budget } = await createBudgetAt(
      "2026-03-29T10:00:00.000Z",
      [["2026-03-28T23:30:00.000Z", 5]],
      "Europe/Berlin",
    );
    expect((await budget.getUsed("a")).daily).toBe(5);
    const { day, week } = budget.getPeriodEnds();
    expect([new Date(day).toISOString(), new Date(week).toISOString()]).toEqual([
      "2026-03-29T22:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
  });

  it("is assigned to other days when the time zone changes", async () => {
    const { budget, clock, moveTo } = await createBudgetAt("2026-01-07T12:00:00.000Z", [
      ["2026-01-06T23:30:00.000Z", 7],
    ]);
    expect((await budget.getUsed("a")).daily).toBe(0);
    clock.advance(HOUR);
    moveTo("Europe/Berlin");
    expect((await budget.getUsed("a")).daily).toBe(7);
  });
});
