import { memoryDatabase } from "@parley/testing";
import { expect, test } from "vitest";
import { HISTORY_MIGRATIONS } from "../../migrations.ts";
import type { HistoryTables } from "../tables.ts";
import { insertLogRows, LOG_COLUMNS } from "./log-rows.ts";

const VALUES: Readonly<Record<string, unknown>> = {
  message: "hello",
  metadata: {},
  created_at: "2026-01-06T10:15:00.000Z",
};
const toRow = (given: Readonly<Record<string, unknown>>) => {
  const row: Readonly<Record<string, unknown>> = { ...VALUES, ...given };
  return LOG_COLUMNS.map((column) =>
    column.endsWith("_id") || column.startsWith("error") ? null : (row[column] ?? "x"),
  );
};

test("rows are inserted once, with their metadata as text and unreadable characters replaced", async () => {
  const history = memoryDatabase();
  await history.migrate("gateway", HISTORY_MIGRATIONS);
  const given = [
    { id: "log_1", message: "half \ud83d, none \0.", metadata: '{"a":1,"text":"quoted \\"b\\""}' },
    { id: "log_2", message: 'wrote "no" — 你好' },
  ].map((row) => toRow(row).with(0, row.id).with(1, "gw_1"));
  for (let time = 0; time < 2; time += 1) await history.write([insertLogRows(history, JSON.stringify(given))]);
  const rows = await history.tables<HistoryTables>().selectFrom("gateway_logs").selectAll().orderBy("id").execute();
  expect(rows).toMatchObject([
    { id: "log_1", message: "half \ufffd, none .", metadata: '{"a":1,"text":"quoted \\"b\\""}', channel_id: null },
    { id: "log_2", message: 'wrote "no" — 你好', metadata: "{}", created_at: VALUES.created_at },
  ]);
});
