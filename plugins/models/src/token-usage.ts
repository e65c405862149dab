import {
  type Clock,
  type Database,
  type Migration,
  newId,
  type TokenUsage,
  type UsageEntry,
  type UsageRow,
} from "@parley/core";
import { type Expression, sql } from "kysely";

const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;
const PER_TOKENS = 1_000_000;

interface UsageTables {
  readonly token_usage: Omit<UsageRow, "ok"> & { readonly ok: number };
}

export interface Prices {
  readonly input_price: number;
  readonly output_price: number;
}

export const usageMigrations: readonly Migration[] = [
  {
    id: "001-token-usage",
    async up(db) {
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
        .addColumn("cost", "real")
        .addColumn("duration_ms", "integer", (column) => column.notNull())
        .addColumn("ok", "integer", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("token_usage_time").on("token_usage").columns(["time", "id"]).execute();
    },
  },
];

export interface TokenUsageParts {
  readonly database: Database;
  readonly clock: Clock;
  /** The prices of a model at this moment; undefined for models without a record. */
  readonly pricesOf: (modelId: string) => Promise<Prices | undefined>;
}

/** Usage rows in SQL, and what removes the old ones. */
export function createTokenUsage({ database, clock, pricesOf }: TokenUsageParts): TokenUsage & {
  removeOld(): Promise<void>;
} {
  const tables = () => database.tables<UsageTables>();
  return {
    async record(entry) {
      const cost = costOf(entry, await pricesOf(entry.model_id));
      const row = {
        id: newId("use", clock.now()),
        time: new Date(clock.now()).toISOString(),
        ...entry,
        total_tokens: entry.input_tokens + entry.output_tokens,
        cost,
        duration_ms: Math.round(entry.duration_ms),
        ok: entry.ok ? 1 : 0,
      };
      await database.write([{ query: tables().insertInto("token_usage").values(row), expect: 1 }]);
      return cost;
    },
    async sums(by, since, until) {
      const key = keyOf[by];
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
          fn.countAll<number>().as("requests"),
          sql<number>`coalesce(sum(cost), 0)`.as("cost"),
          fn.avg<number>("duration_ms").as("average_ms"),
        ])
        .groupBy(key)
        .orderBy("total_tokens", "desc")
        .orderBy("key")
        .execute();
      return rows.map((row) => ({ ...row, average_ms: Math.round(row.average_ms) }));
    },
    async rows(since, until, { limit, offset }) {
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
      return rows.map((row) => ({ ...row, ok: row.ok === 1 }));
    },
    async removeOld() {
      const before = new Date(clock.now() - KEPT_DAYS * DAY_MS).toISOString();
      await database.write([{ query: tables().deleteFrom("token_usage").where("time", "<", before) }]);
    },
  };
}

const keyOf: Readonly<Record<Parameters<TokenUsage["sums"]>[0], Expression<string> & ReturnType<typeof sql<string>>>> =
  {
    // Models without a record are told apart by the provider's name of them.
    model: sql<string>`case when model_id = '' then model else model_id end`,
    purpose: sql<string>`purpose`,
    session: sql<string>`coalesce(session_id, '')`,
    user: sql<string>`coalesce("user", '')`,
    hour: sql<string>`substr(time, 1, 13)`,
  };

function costOf({ input_tokens, output_tokens }: UsageEntry, prices: Prices | undefined): number | null {
  if (!prices || (prices.input_price === 0 && prices.output_price === 0)) return null;
  return (input_tokens * prices.input_price + output_tokens * prices.output_price) / PER_TOKENS;
}
