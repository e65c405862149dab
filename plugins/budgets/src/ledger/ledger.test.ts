import { createTestClock, memoryDatabase } from "@parley/testing";
import { expect, test } from "vitest";
import { createLedger, LEASE_MS } from "./ledger.ts";
import { BUDGET_MIGRATIONS } from "./tables.ts";

const ACCOUNT = {
  budgetId: "bud_1",
  targetId: "",
  periodStart: "2026-01-01T00:00:00.000Z",
  limitTokens: 100,
  limitCost: null,
};
const PAGE = { limit: 50, offset: 0 };
const AMOUNT = { tokens: 100, cost: 1 };

async function setUp() {
  const [database, clock] = [memoryDatabase(), createTestClock()];
  await database.migrate("budgets", BUDGET_MIGRATIONS);
  const ledger = createLedger({ database: () => database, clock });
  const reserve = (id: string, holder: string, traceId: string | null = null) =>
    ledger.reserve({ id, holder, traceId, amount: AMOUNT }, [ACCOUNT]);
  const getUsage = async () => (await ledger.listUsage(ACCOUNT.budgetId, ACCOUNT.periodStart, PAGE)).items[0];
  return { ledger, clock, reserve, getUsage };
}

test("what a process reserved ends when it does not renew it", async () => {
  const { ledger, clock, reserve, getUsage } = await setUp();
  expect(await reserve("a", "gone")).toEqual([true]);
  expect(await reserve("b", "here")).toEqual([false]);
  clock.advance(LEASE_MS - 1);
  await ledger.renew(["a"]);
  clock.advance(LEASE_MS - 1);
  expect(await reserve("c", "here")).toEqual([false]);
  clock.advance(1);
  expect(await getUsage()).toMatchObject({ reserved_tokens: 0 });
  expect(await reserve("d", "here")).toEqual([true]);
});

test("a turn that runs again in another process ends what its earlier run reserved", async () => {
  const { reserve, getUsage } = await setUp();
  expect(await reserve("a", "gone", "trace")).toEqual([true]);
  expect(await reserve("b", "here", "trace")).toEqual([true]);
  expect(await getUsage()).toMatchObject({ reserved_tokens: AMOUNT.tokens });
});

test("a settlement counts what was spent once, also when the reservation has ended before", async () => {
  const { ledger, reserve, getUsage } = await setUp();
  await reserve("a", "here");
  await ledger.settle(ledger.createSettlement("a", [ACCOUNT], { tokens: 40, cost: 0.5 }));
  expect(await getUsage()).toEqual({
    target_id: "",
    used_tokens: 40,
    used_cost: 0.5,
    reserved_tokens: 0,
    reserved_cost: 0,
  });
  await reserve("b", "here");
  await ledger.release(["b"]);
  await ledger.settle(ledger.createSettlement("b", [ACCOUNT], { tokens: 60, cost: 0.5 }));
  expect(await getUsage()).toMatchObject({ used_tokens: 100, used_cost: 1 });
  expect(await reserve("c", "here")).toEqual([false]);
});

test("old periods are removed, and reservations that have ended", async () => {
  const { ledger, clock, reserve, getUsage } = await setUp();
  await reserve("a", "gone");
  clock.advance(LEASE_MS);
  expect(await ledger.removeOld("2026-01-01T00:00:00.000Z")).toBe(0);
  expect(await ledger.removeOld("2026-01-02T00:00:00.000Z")).toBe(1);
  expect(await getUsage()).toBeUndefined();
});
