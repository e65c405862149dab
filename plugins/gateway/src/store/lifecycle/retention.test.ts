import { newTraceId } from "@parley/core";
import { memoryDatabase } from "@parley/testing";
import { expect, test } from "vitest";
import { HISTORY_MIGRATIONS, MAIN_MIGRATIONS } from "../../migrations.ts";
import type { HistoryTables, MainTables } from "../tables.ts";
import { prune } from "./retention.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const clock = { now: () => NOW, monotonic: () => 0 };

async function createFilledDatabase(rows: number) {
  const main = memoryDatabase();
  const history = memoryDatabase();
  await main.migrate("gateway", MAIN_MIGRATIONS);
  await history.migrate("gateway-history", HISTORY_MIGRATIONS);
  const tables = main.tables<MainTables>();
  const historyTables = history.tables<HistoryTables>();
  let position = 0;
  for (let n = 0; n < rows; n += 1) {
    for (const days of [1, 31, 91]) {
      const ms = NOW - days * DAY;
      const trace_id = newTraceId(ms);
      const id = `${days}-${n}`;
      position += 1;
      const common = { position, trace_id, channel_id: "c", session_id: "s", message: "{}", updated_ms: ms };
      await tables
        .insertInto("inbox")
        .values({ ...common, id, state: n % 2 ? "done" : "waiting", runs: 0, received_ms: ms } as never)
        .execute();
      const times = { attempts: 1, throttles: 0, next_ms: ms, created_ms: ms };
      await tables
        .insertInto("outbox")
        .values({ ...common, ...times, id, conversation_id: "1", state: n % 2 ? "delivered" : "pending" } as never)
        .execute();
      await tables
        .insertInto("turn_draft")
        .values({ trace_id, phase: "answer", draft: "{}", updated_ms: ms })
        .execute();
      await historyTables.insertInto("turn_record").values({ trace_id, record: "{}", note: null }).execute();
      const log = { source: "gateway", type: "message", stage: "", action: "", status: "completed", message: "" };
      await historyTables
        .insertInto("gateway_logs")
        .values({
          ...log,
          id,
          trace_id,
          level: n % 2 ? "info" : "error",
          metadata: "{}",
          created_at: new Date(ms).toISOString(),
        } as never)
        .execute();
    }
  }
  return { databases: { main, history }, tables, told: historyTables };
}

test("old rows are removed, open ones stay, errors stay longer", async () => {
  const { databases, tables, told } = await createFilledDatabase(4);
  await prune(databases, clock, 3 * DAY);
  const ids = async (table: "inbox" | "outbox") =>
    (await tables.selectFrom(table).select("id").orderBy("id").execute()).map(({ id }) => id);
  const open = ["1-0", "1-1", "1-2", "1-3", "31-0", "31-2", "91-0", "91-2"];
  expect(await ids("inbox")).toEqual(open);
  expect(await ids("outbox")).toEqual(open);
  const logs = await told.selectFrom("gateway_logs").select("id").orderBy("id").execute();
  expect(logs.map(({ id }) => id)).toEqual(["1-0", "1-1", "1-2", "1-3", "31-0", "31-2"]);
  expect(await tables.selectFrom("turn_draft").select("trace_id").execute()).toHaveLength(4);
  expect(await told.selectFrom("turn_record").select("trace_id").execute()).toHaveLength(4);
});

test("more rows than one step removes are all removed", async () => {
  const { databases, tables } = await createFilledDatabase(2_500);
  await prune(databases, clock, 3 * DAY);
  expect(await tables.selectFrom("turn_draft").select("trace_id").execute()).toHaveLength(2_500);
}, 30_000);
