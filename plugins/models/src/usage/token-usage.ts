import {
  type Clock,
  type Database,
  fixedStatement,
  type Logger,
  newId,
  type TokenUsage,
  type UsageEntry,
  type UsageRow,
  type Write,
} from "@parley/core";
import { type Expression, type Kysely, sql } from "kysely";
import type { TokenBudget } from "../failover/token-budget.ts";
import { type CallMetrics, createCallMetrics } from "./call-metrics.ts";

const RETENTION_DAYS = 400;
const DAY_MS = 86_400_000;
const TOKENS_PER_PRICE = 1_000_000;

interface UsageTables {
  readonly token_usage: Omit<UsageRow, "ok"> & { readonly ok: number };
}

export interface Prices {
  readonly input_price: number;
  readonly output_price: number;
  /** Null or absent: a tenth of the input price. */
  readonly cache_read_price?: number | null;
  /** Null or absent: 1.25 times the input price. */
  readonly cache_write_price?: number | null;
}

export async function createUsageTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("token_usage")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("time", "text", (column) => column.notNull())
    .addColumn("model_id", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("session_id", "text")
    .addColumn("user", "text")
    .addColumn("trace_id", "text")
    .addColumn("input_tokens", "integer", (column) => column.notNull())
    .addColumn("output_tokens", "integer", (column) => column.notNull())
    .addColumn("total_tokens", "integer", (column) => column.notNull())
    .addColumn("cost", "double precision")
    .addColumn("duration_ms", "bigint", (column) => column.notNull())
    .addColumn("ok", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("token_usage_time").on("token_usage").columns(["time", "id"]).execute();
}

export async function addCacheTokens(db: Kysely<unknown>): Promise<void> {
  for (const name of ["cache_read_tokens", "cache_write_tokens"]) {
    await db.schema
      .alterTable("token_usage")
      .addColumn(name, "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  }
}

const COLUMNS = [
  "id",
  "time",
  "model_id",
  "model",
  "purpose",
  "session_id",
  "user",
  "trace_id",
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cost",
  "duration_ms",
  "ok",
] as const satisfies readonly (keyof UsageRow)[];
const INSERT_SQL = `insert into token_usage (${COLUMNS.map((name) => `"${name}"`).join(", ")}) values (${COLUMNS.map(() => "?").join(", ")})`;

export interface TokenUsageDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly budget: Pick<TokenBudget, "add">;
  /** Returns the current prices of a model; undefined for models without a record. */
  readonly pricesOf: (modelId: string) => Promise<Prices | undefined>;
}

/** Creates the usage accounting, stored in SQL and removed after the retention time. */
export function createTokenUsage({ database, clock, log, budget, pricesOf }: TokenUsageDeps): TokenUsage & {
  removeOld(): Promise<number>;
  /** Resolves when no recorded call waits to be stored; failures are logged. */
  flush(): Promise<void>;
  readonly times: CallMetrics;
} {
  const tables = () => database.tables<UsageTables>();
  const times = createCallMetrics();
  const writing = new Set<Promise<void>>();
  const flush = async () => {
    await Promise.all(writing);
  };
  // A reply does not wait until its usage is stored.
  const write = (row: UsageTables["token_usage"], query: Write["query"]) => {
    const work: Promise<void> = database
      .write([{ query, expect: 1 }])
      .then(
        () => {},
        (error) => log.error("the usage of a model call could not be stored", { trace: row.trace_id, error }),
      )
      .finally(() => writing.delete(work));
    writing.add(work);
  };
  return {
    async record(entry, into) {
      const cost = calculateCost(entry, await pricesOf(entry.model_id));
      const row = {
        id: newId("use", clock.now()),
        time: new Date(clock.now()).toISOString(),
        ...entry,
        cache_read_tokens: entry.cache_read_tokens ?? 0,
        cache_write_tokens: entry.cache_write_tokens ?? 0,
        total_tokens: entry.input_tokens + entry.output_tokens,
        cost,
        duration_ms: Math.round(entry.duration_ms),
        ok: entry.ok ? 1 : 0,
      };
      const query = fixedStatement(
        INSERT_SQL,
        COLUMNS.map((name) => row[name]),
      );
      if (into) into({ query });
      else write(row, query);
      budget.add(entry.model_id, row.total_tokens);
      times.add(entry.model, entry.duration_ms, entry.ok);
      return cost;
    },
    flush,
    times,
    async sums(by, since, until) {
      await flush();
      const key = groupExpressions[by];
      const rows = await tables()
        .selectFrom("token_usage")
        .where("time", ">=", since)
        .where("time", "<", until)
        .select(({ fn }) => [
          key.as("key"),
          fn.max(by === "model" ? sql<string>`model` : key).as("name"),
          fn.sum<number>("input_tokens").as("input_tokens"),
          fn.sum<number>("output_tokens").as("output_tokens"),
          fn.sum<number>("total_tokens").as("total_tokens"),
          fn.sum<number>("cache_read_tokens").as("cache_read_tokens"),
          fn.sum<number>("cache_write_tokens").as("cache_write_tokens"),
          fn.countAll<number>().as("requests"),
          sql<number>`coalesce(sum(cost), 0)`.as("cost"),
          fn.avg<number>("duration_ms").as("average_ms"),
        ])
        .groupBy(key)
        .orderBy("total_tokens", "desc")
        .orderBy("key")
        .execute();
      return rows.map(({ key: by_key, name, ...row }) => ({
        key: by_key,
        name,
        input_tokens: Number(row.input_tokens),
        output_tokens: Number(row.output_tokens),
        total_tokens: Number(row.total_tokens),
        cache_read_tokens: Number(row.cache_read_tokens),
        cache_write_tokens: Number(row.cache_write_tokens),
        requests: Number(row.requests),
        cost: Number(row.cost),
        average_ms: Math.round(Number(row.average_ms)),
      }));
    },
    async rows(since, until, { limit, offset }) {
      await flush();
      const rows = await tables()
        .selectFrom("token_usage")
        .selectAll()
        .where("time", ">=", since)
        .where("time", "<", until)
        .orderBy("time")
        .orderBy("id")
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map((row) => ({ ...row, duration_ms: Number(row.duration_ms), ok: row.ok === 1 }));
    },
    async removeOld() {
      const before = new Date(clock.now() - RETENTION_DAYS * DAY_MS).toISOString();
      const [removed] = await database.write([
        { query: tables().deleteFrom("token_usage").where("time", "<", before) },
      ]);
      return removed?.changes ?? 0;
    },
  };
}

const groupExpressions: Readonly<
  Record<Parameters<TokenUsage["sums"]>[0], Expression<string> & ReturnType<typeof sql<string>>>
> = {
  // Models without a record are identified by the name that the provider uses.
  model: sql<string>`case when model_id = '' then model else model_id end`,
  purpose: sql<string>`purpose`,
  session: sql<string>`coalesce(session_id, '')`,
  user: sql<string>`coalesce("user", '')`,
  hour: sql<string>`substr(time, 1, 13)`,
};

const CACHE_READ_SHARE = 0.1;
const CACHE_WRITE_SHARE = 1.25;

/** Returns the cost of a call in the service's currency; null for a model without prices. */
export function calculateCost(
  tokens: Pick<UsageEntry, "input_tokens" | "output_tokens" | "cache_read_tokens" | "cache_write_tokens">,
  prices: Prices | undefined,
): number | null {
  if (!prices || (prices.input_price === 0 && prices.output_price === 0)) return null;
  const { input_tokens, output_tokens, cache_read_tokens: read = 0, cache_write_tokens: written = 0 } = tokens;
  const readPrice = prices.cache_read_price ?? prices.input_price * CACHE_READ_SHARE;
  const writePrice = prices.cache_write_price ?? prices.input_price * CACHE_WRITE_SHARE;
  const input = Math.max(0, input_tokens - read - written) * prices.input_price;
  const sum = input + read * readPrice + written * writePrice + output_tokens * prices.output_price;
  return sum / TOKENS_PER_PRICE;
}
