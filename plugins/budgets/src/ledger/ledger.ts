import { type Clock, type Database, fixedStatement, type Spending, type Write } from "@parley/core";
import { type List, mapItems, type Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { LedgerTables } from "./tables.ts";

/** Time for which a reservation holds unless its process renews it. */
export const LEASE_MS = 90_000;

/** The counter of a budget for one target in one period. */
export interface Account {
  readonly budgetId: string;
  readonly targetId: string;
  /** ISO 8601 start of the period. */
  readonly periodStart: string;
}

/** An account with the limits of its budget; null for none. */
export interface LimitedAccount extends Account {
  readonly limitTokens: number | null;
  readonly limitCost: number | null;
}

export interface NewReservation {
  readonly id: string;
  readonly holder: string;
  readonly traceId: string | null;
  readonly amount: Spending;
}

/** The amounts of one target. */
export interface TargetUsage {
  readonly target_id: string;
  readonly used_tokens: number;
  readonly used_cost: number;
  readonly reserved_tokens: number;
  readonly reserved_cost: number;
}

/** Stores what budgets have spent and reserved. */
export interface Ledger {
  /**
   * Reserves the amount in each account with anything left, and returns for each whether it has. What is left counts
   * the reservations of all processes, so an account is overspent by at most one reservation.
   */
  reserve(reservation: NewReservation, accounts: readonly LimitedAccount[]): Promise<readonly boolean[]>;
  /** Replaces a reserved amount, until the end of the turn settles it. */
  adjust(id: string, amount: Spending): Promise<void>;
  release(ids: readonly string[]): Promise<void>;
  /** Returns the writes that count the amount as spent and end the reservation; they belong into one transaction. */
  createSettlement(id: string, accounts: readonly Account[], amount: Spending): readonly Write[];
  settle(settlement: readonly Write[]): Promise<void>;
  renew(ids: readonly string[]): Promise<void>;
  /** Ends all reservations, or those of one process. */
  releaseAll(holder?: string): Promise<void>;
  /** Returns a page of the targets that have spent something in a period, the largest amounts first. */
  listUsage(budgetId: string, periodStart: string, page: Page): Promise<List<TargetUsage>>;
  removeBudget(budgetId: string): Promise<void>;
  /** Removes expired reservations and spending of periods that began before; returns the count of the latter. */
  removeOld(before: string): Promise<number>;
}

// Locks the row, so that concurrent reservations of several processes see each other. The update changes nothing.
const LOCK = `insert into budget_spending (budget_id, target_id, period_start, used_tokens, used_cost)
  values (?, ?, ?, 0, 0) on conflict (budget_id, period_start, target_id)
  do update set used_tokens = budget_spending.used_tokens`;
const RESERVED = (column: string) => `coalesce((select sum(r.${column}) from budget_reservations r
  where r.budget_id = s.budget_id and r.period_start = s.period_start and r.target_id = s.target_id
  and r.expires_ms > ?), 0)`;
const RESERVE = `insert into budget_reservations
  (id, budget_id, target_id, period_start, tokens, cost, trace_id, holder, expires_ms)
  select ?, s.budget_id, s.target_id, s.period_start, cast(? as bigint), cast(? as double precision),
    cast(? as text), ?, cast(? as bigint)
  from budget_spending s where s.budget_id = ? and s.period_start = ? and s.target_id = ?
  and (cast(? as bigint) is null or s.used_tokens + ${RESERVED("tokens")} < cast(? as bigint))
  and (cast(? as double precision) is null or s.used_cost + ${RESERVED("cost")} < cast(? as double precision))`;
// Another run of the turn has begun, so what earlier processes reserved for it is void.
const RELEASE_EARLIER = "delete from budget_reservations where trace_id = ? and holder <> ?";
const ADJUST = "update budget_reservations set tokens = ?, cost = ? where id = ?";
const RELEASE = "delete from budget_reservations where id = ?";
const SPEND = `insert into budget_spending (budget_id, target_id, period_start, used_tokens, used_cost)
  values (?, ?, ?, ?, ?) on conflict (budget_id, period_start, target_id)
  do update set used_tokens = budget_spending.used_tokens + excluded.used_tokens,
    used_cost = budget_spending.used_cost + excluded.used_cost`;
const toWrite = (text: string, ...parameters: readonly unknown[]): Write => ({
  query: fixedStatement(text, parameters),
});

interface LedgerDeps {
  readonly database: () => Database;
  readonly clock: Pick<Clock, "now">;
}

export function createLedger({ database, clock }: LedgerDeps): Ledger {
  const write = (...writes: readonly Write[]) => database().write(writes);
  const tables = () => database().tables<LedgerTables>();
  return {
    async reserve(reservation, accounts) {
      const { traceId, holder } = reservation;
      const now = clock.now();
      const reserving = accounts.flatMap((account) => createReservation(reservation, account, now));
      const earlier = traceId === null ? [] : [toWrite(RELEASE_EARLIER, traceId, holder)];
      const results = (await write(...earlier, ...reserving)).slice(earlier.length);
      return accounts.map((_, index) => results[index * 2 + 1]?.changes === 1);
    },
    async adjust(id, { tokens, cost }) {
      await write(toWrite(ADJUST, tokens, cost, id));
    },
    async release(ids) {
      if (ids.length > 0) await write(...ids.map((id) => toWrite(RELEASE, id)));
    },
    createSettlement: (id, accounts, { tokens, cost }) => [
      toWrite(RELEASE, id),
      ...accounts.map(({ budgetId, targetId, periodStart }) =>
        toWrite(SPEND, budgetId, targetId, periodStart, tokens, cost),
      ),
    ],
    async settle(settlement) {
      await write(...settlement);
    },
    async renew(ids) {
      if (ids.length === 0) return;
      const query = tables()
        .updateTable("budget_reservations")
        .set({ expires_ms: clock.now() + LEASE_MS });
      await write({ query: query.where("id", "in", [...ids]) });
    },
    async releaseAll(holder) {
      const query = tables().deleteFrom("budget_reservations");
      await write({ query: holder === undefined ? query : query.where("holder", "=", holder) });
    },
    async listUsage(budgetId, periodStart, page) {
      const reserved = tables()
        .selectFrom("budget_reservations")
        .where("budget_id", "=", budgetId)
        .where("period_start", "=", periodStart)
        .where("expires_ms", ">", clock.now())
        .groupBy("target_id")
        .select(({ fn }) => ["target_id", fn.sum("tokens").as("tokens"), fn.sum("cost").as("cost")])
        .as("reserved");
      const rows = tables()
        .selectFrom("budget_spending")
        .where("budget_id", "=", budgetId)
        .where("period_start", "=", periodStart);
      const found = await readPage(rows, page, (matching) =>
        matching
          .leftJoin(reserved, "reserved.target_id", "budget_spending.target_id")
          .select(["budget_spending.target_id", "used_tokens", "used_cost"])
          .select(["reserved.tokens as reserved_tokens", "reserved.cost as reserved_cost"])
          .orderBy("used_tokens", "desc")
          .orderBy("budget_spending.target_id"),
      );
      return mapItems(found, toTargetUsage);
    },
    async removeBudget(budgetId) {
      await write(
        { query: tables().deleteFrom("budget_reservations").where("budget_id", "=", budgetId) },
        { query: tables().deleteFrom("budget_spending").where("budget_id", "=", budgetId) },
      );
    },
    async removeOld(before) {
      const [, removed] = await write(
        { query: tables().deleteFrom("budget_reservations").where("expires_ms", "<=", clock.now()) },
        { query: tables().deleteFrom("budget_spending").where("period_start", "<", before) },
      );
      return removed?.changes ?? 0;
    },
  };
}

/** Returns the writes that reserve an amount in one account if anything is left; the second one changes one row then. */
function createReservation(
  { id, holder, traceId, amount: { tokens, cost } }: NewReservation,
  { budgetId, targetId, periodStart, limitTokens, limitCost }: LimitedAccount,
  now: number,
): readonly Write[] {
  const reserved = [id, tokens, cost, traceId, holder, now + LEASE_MS];
  const limits = [limitTokens, now, limitTokens, limitCost, now, limitCost];
  return [
    toWrite(LOCK, budgetId, targetId, periodStart),
    toWrite(RESERVE, ...reserved, budgetId, periodStart, targetId, ...limits),
  ];
}

/** Converts a row; a database server returns sums as texts. */
function toTargetUsage(row: Readonly<Record<keyof TargetUsage, unknown>>): TargetUsage {
  return {
    target_id: String(row.target_id),
    used_tokens: Number(row.used_tokens),
    used_cost: Number(row.used_cost),
    reserved_tokens: Number(row.reserved_tokens),
    reserved_cost: Number(row.reserved_cost),
  };
}
