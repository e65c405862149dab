import { memoryDatabase } from "@parley/testing";
import { expect, test } from "vitest";
import { MAIN_MIGRATIONS } from "./migrations.ts";
import type { MainTables } from "./store/tables.ts";

test("keys that tell copies apart stay what they are, in texts that every engine takes", async () => {
  const database = memoryDatabase();
  await database.migrate("gateway", MAIN_MIGRATIONS.slice(0, 1));
  const tables = database.tables<MainTables>();
  const keys = Array.from({ length: 450 }, (_, count) => `imb\0bot\0${count}`);
  const rows = ["webhook:k", ...keys].map((key, count) => ({
    key,
    inbox_id: `qi_${count}`,
    trace_id: `gw_${count}`,
    first_ms: count,
    hits: count,
  }));
  await tables.insertInto("dedupe").values(rows).execute();
  await database.migrate("gateway", MAIN_MIGRATIONS);
  const moved = await tables.selectFrom("dedupe").selectAll().orderBy("first_ms").execute();
  expect(moved).toEqual(rows.map(({ key, ...row }) => ({ key: key.replaceAll("\0", "\u001f"), ...row })));
});
