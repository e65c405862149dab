import { memoryDatabase } from "@parley/core/testing";
import { describe, expect, test } from "vitest";
import { GATEWAY_MIGRATIONS, type GatewayTables } from "./tables.ts";

const ITEM = { id: "qi_1", trace_id: "gw_1", channel_id: "c", session_id: "s", message: '{"text":"hello"}', runs: 0 };

describe("a database of an earlier version", () => {
  test.each(GATEWAY_MIGRATIONS.slice(0, -1).map(({ id }, index) => [id, index + 1] as const))(
    "from after step %s keeps its rows, and new ones fit beside them",
    async (_, steps) => {
      const database = memoryDatabase();
      await database.migrate("gateway", GATEWAY_MIGRATIONS.slice(0, steps));
      const tables = database.tables<GatewayTables>();
      const times = { received_ms: 1, updated_ms: 1 };
      await tables
        .insertInto("inbox")
        .values({ ...ITEM, ...times, state: "waiting" } as never)
        .execute();
      await database.migrate("gateway", GATEWAY_MIGRATIONS);
      await tables
        .insertInto("inbox")
        .values({ ...ITEM, ...times, id: "qi_2", trace_id: "gw_2", state: "dead", reviewed_ms: 5 } as never)
        .execute();
      expect(await tables.selectFrom("inbox").select(["id", "state", "message", "reviewed_ms"]).execute()).toEqual([
        { id: "qi_1", state: "waiting", message: ITEM.message, reviewed_ms: null },
        { id: "qi_2", state: "dead", message: ITEM.message, reviewed_ms: 5 },
      ]);
      expect(await tables.selectFrom("gateway_nodes").selectAll().execute()).toEqual([]);
    },
  );
});
