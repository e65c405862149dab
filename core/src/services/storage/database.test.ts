import { memoryDatabase } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { contains, toNumberedParameters } from "./database.ts";

describe("a prepared statement", () => {
  test("has numbered parameters on PostgreSQL", () => {
    expect(toNumberedParameters("update t set a = ?, b = coalesce(?, b) where id = ?")).toBe(
      "update t set a = $1, b = coalesce($2, b) where id = $3",
    );
  });

  test("keeps question marks in quotes, also beside nested quotes", () => {
    expect(toNumberedParameters(`select 'why?' as "what?", ? from t where a = 'it''s ?' and b = ?`)).toBe(
      `select 'why?' as "what?", $1 from t where a = 'it''s ?' and b = $2`,
    );
  });

  test("that is already numbered stays as it is", () => {
    expect(toNumberedParameters('delete from "t" where "a" = $1')).toBe('delete from "t" where "a" = $1');
  });
});

describe("a search for contained text", () => {
  const found = async (text: string) => {
    const database = memoryDatabase();
    const tables = database.tables<{ readonly notes: { readonly text: string } }>();
    await tables.schema.createTable("notes").addColumn("text", "text").execute();
    const values = ["All of 100% is DONE_1", "100 of all", "C:\\temp", "doneX1"].map((one) => ({ text: one }));
    await database.write([{ query: tables.insertInto("notes").values(values) }]);
    const rows = await tables.selectFrom("notes").selectAll().where(contains("text", text)).execute();
    return rows.map((row) => row.text);
  };

  test("ignores case", async () => {
    expect(await found("ALL")).toEqual(["All of 100% is DONE_1", "100 of all"]);
  });

  test("treats every character literally", async () => {
    expect(await found("100%")).toEqual(["All of 100% is DONE_1"]);
    expect(await found("done_")).toEqual(["All of 100% is DONE_1"]);
    expect(await found(":\\t")).toEqual(["C:\\temp"]);
  });
});
