import { AppError, type Collections, type Databases, fixedStatement, limitRows, toLocalized } from "@parley/core";
import type { Kysely } from "kysely";
import { describe, expect, test } from "vitest";

interface Thing {
  readonly id: string;
  readonly count: number;
}

interface LaterTables {
  readonly contract_later: { readonly id: number };
}

/** Tests that every implementation of `Collections` must pass; `make` creates empty ones. */
export function collectionsContract(name: string, make: () => Promise<Collections> | Collections): void {
  describe(`${name}: the collections contract`, () => {
    const things = async () => (await make()).open<Thing>("contract-things");

    test("two concurrent writers of the same documents do not wait for each other forever", async () => {
      const collections = await make();
      const [a, b] = ["a", "b"].map((id) => ({ collection: "ones", item: { id, count: 1 } as Thing }));
      if (!a || !b) throw new Error("there are two");
      await Promise.all([collections.putTogether([a, b, a]), collections.putTogether([b, a])]);
      expect(await collections.open<Thing>("ones").list()).toHaveLength(2);
    });

    test("documents of several collections are stored together", async () => {
      const collections = await make();
      const [ones, others] = [collections.open<Thing>("ones"), collections.open<Thing>("others")];
      await ones.put({ id: "a", count: 1 });
      await collections.putTogether([
        { collection: "ones", item: { id: "a", count: 2 } as Thing },
        { collection: "others", item: { id: "b", count: 3 } as Thing },
      ]);
      expect([await ones.get("a"), await others.get("b")]).toEqual([
        { id: "a", count: 2 },
        { id: "b", count: 3 },
      ]);
    });

    test("a stored document is returned, and listed by id", async () => {
      const collection = await things();
      for (const id of ["b", "a", "c"]) await collection.put({ id, count: 1 });
      expect(await collection.get("a")).toEqual({ id: "a", count: 1 });
      expect((await collection.list()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    });

    test("an unknown document is undefined, and removing reports whether it existed", async () => {
      const collection = await things();
      await collection.put({ id: "a", count: 1 });
      expect(await collection.remove("a")).toBe(true);
      expect(await collection.remove("a")).toBe(false);
      expect(await collection.get("a")).toBeUndefined();
    });

    test("changes of one document are applied one after another; none is lost", async () => {
      const collection = await things();
      await collection.put({ id: "a", count: 0 });
      await Promise.all(
        Array.from({ length: 10 }, () => collection.update("a", (one) => ({ ...one, count: one.count + 1 }))),
      );
      expect(await collection.get("a")).toEqual({ id: "a", count: 10 });
    });

    test("a change that throws leaves the document unchanged", async () => {
      const collection = await things();
      await collection.put({ id: "a", count: 1 });
      const failing = collection.update("a", () => {
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await collection.get("a")).toEqual({ id: "a", count: 1 });
    });

    test("a change of an unknown document is not_found", async () => {
      await expect((await things()).update("none", (one) => one)).rejects.toMatchObject({ code: "not_found" });
    });

    test("changes of a returned object do not change the stored one", async () => {
      const collection = await things();
      const mine = { id: "a", count: 1 };
      await collection.put(mine);
      mine.count = 99;
      expect((await collection.get("a"))?.count).toBe(1);
    });

    test("collections with different names are separate", async () => {
      const collections = await make();
      await collections.open<Thing>("contract-one").put({ id: "a", count: 1 });
      expect(await collections.open<Thing>("contract-two").list()).toEqual([]);
    });
  });
}

interface Tables {
  readonly contract_rows: { readonly id: number; readonly text: string };
}

/** Tests that every implementation of `Databases` must pass; `make` creates empty ones. */
export function databasesContract(name: string, make: () => Promise<Databases> | Databases): void {
  describe(`${name}: the databases contract`, () => {
    const prepareTable = async () => {
      const { main } = await make();
      await main.migrate("contract", [
        {
          id: "001",
          async up(db) {
            await db.schema
              .createTable("contract_rows")
              .addColumn("id", "integer", (column) => column.primaryKey())
              .addColumn("text", "text", (column) => column.notNull())
              .execute();
          },
        },
      ]);
      const tables = main.tables<Tables>();
      const ids = async () =>
        (await tables.selectFrom("contract_rows").select("id").orderBy("id").execute()).map(({ id }) => id);
      return { main, tables, ids };
    };

    test("a write is atomic", async () => {
      const { main, tables, ids } = await prepareTable();
      const insert = (id: number) => ({ query: tables.insertInto("contract_rows").values({ id, text: "x" }) });
      await main.write([insert(1), insert(2)]);
      await expect(main.write([insert(3), insert(1)])).rejects.toThrow();
      expect(await ids()).toEqual([1, 2]);
    });

    test("a write that affects an unexpected number of rows is a conflict", async () => {
      const { main, tables, ids } = await prepareTable();
      const insert = { query: tables.insertInto("contract_rows").values({ id: 1, text: "x" }) };
      const nothing = { query: tables.deleteFrom("contract_rows").where("id", "=", 9), expect: 1 };
      await expect(main.write([insert, nothing])).rejects.toMatchObject({ code: "conflict" });
      expect(await ids()).toEqual([]);
    });

    test("a conflict has the chosen message", async () => {
      const { main, tables, ids } = await prepareTable();
      const insert = (id: number) => ({ query: tables.insertInto("contract_rows").values({ id, text: "x" }) });
      const full = limitRows("contract_rows", 1, { en: "rows", zh: "行数" });
      await main.write([insert(1), full]);
      const rejected = await main.write([insert(2), full]).catch((error: unknown) => error);
      expect(rejected).toMatchObject({ code: "conflict", message: "there are already 1 rows" });
      expect(toLocalized(rejected as AppError).zh).toBe("行数已达上限（1）");
      expect(await ids()).toEqual([1]);
    });

    test("a statement that depends on the previous one runs only if that changed something", async () => {
      const { main, tables, ids } = await prepareTable();
      const insert = (id: number) => ({ query: tables.insertInto("contract_rows").values({ id, text: "x" }) });
      const remove = { query: tables.deleteFrom("contract_rows").where("id", "=", 9) };
      const results = await main.write([insert(1), remove, { ...insert(2), ifChanged: true }]);
      expect(results.map(({ changes }) => changes)).toEqual([1, 0, 0]);
      await main.write([insert(3), { ...insert(4), ifChanged: true }]);
      expect(await ids()).toEqual([1, 3, 4]);
    });

    test("a failing write does not affect concurrent ones", async () => {
      const { main, tables, ids } = await prepareTable();
      const insert = (id: number) => ({ query: tables.insertInto("contract_rows").values({ id, text: "x" }) });
      const writes = [[insert(0)], [insert(1), insert(2)], [insert(3), insert(1)], [insert(4)], [insert(4)]];
      const results = await Promise.allSettled(writes.map((some) => main.write(some)));
      expect(results.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, true, false]);
      expect(await ids()).toEqual([0, 1, 2, 4]);
    });

    test("rows of `returning` are returned", async () => {
      const { main, tables } = await prepareTable();
      const [result] = await main.write([
        { query: tables.insertInto("contract_rows").values({ id: 7, text: "x" }).returning("id") },
      ]);
      expect(result?.rows).toEqual([{ id: 7 }]);
    });

    test("a snapshot does not see concurrent writes, by any kind of read, also when nested", async ({ skip }) => {
      const { main, tables, ids } = await prepareTable();
      const { snapshot } = main;
      if (!snapshot) return skip("it has no snapshots");
      const insert = (id: number) =>
        main.write([{ query: tables.insertInto("contract_rows").values({ id, text: "x" }) }]).then(() => {});
      const read = async () => ({
        rows: await ids(),
        lookup: (await main.lookup(fixedStatement("select id from contract_rows", []))).length,
      });
      await insert(1);
      const inside = await snapshot(async () => {
        const first = await read();
        await insert(2);
        await snapshot(() => insert(3));
        return [first, await read()];
      });
      expect(inside).toEqual([
        { rows: [1], lookup: 1 },
        { rows: [1], lookup: 1 },
      ]);
      expect(await read()).toEqual({ rows: [1, 2, 3], lookup: 3 });
    });

    test("a table that is created during a snapshot can be read in it", async ({ skip }) => {
      const { main } = await prepareTable();
      if (!main.snapshot) return skip("it has no snapshots");
      const up = async (db: Kysely<unknown>) =>
        void (await db.schema.createTable("contract_later").addColumn("id", "integer").execute());
      const later = async () => {
        await main.migrate("later", [{ id: "001", up }]);
        return main.tables<LaterTables>().selectFrom("contract_later").select("id").execute();
      };
      expect(await main.snapshot(later)).toEqual([]);
    });

    test("a snapshot that throws is closed: the next one is new", async ({ skip }) => {
      const { main, tables, ids } = await prepareTable();
      if (!main.snapshot) return skip("it has no snapshots");
      const broken = main.snapshot(async () => {
        await ids();
        throw new AppError("bad_request", "no");
      });
      await expect(broken).rejects.toThrow("no");
      await main.write([{ query: tables.insertInto("contract_rows").values({ id: 1, text: "x" }) }]);
      expect(await main.snapshot(ids)).toEqual([1]);
    });

    test("a step of a schema is applied once", async () => {
      const { main, ids } = await prepareTable();
      let applied = 0;
      const steps = [
        {
          id: "001",
          up: async () => {
            applied += 1;
          },
        },
      ];
      await main.migrate("other", steps);
      await main.migrate("other", steps);
      expect(applied).toBe(1);
      expect(await ids()).toEqual([]);
    });

    test("a step that replaces earlier ones counts as applied if all of them are, and is rejected if only some are", async () => {
      const { main } = await prepareTable();
      const applied: string[] = [];
      const step = (id: string, replaces?: readonly string[]) => ({
        id,
        ...(replaces && { replaces }),
        up: async () => void applied.push(id),
      });
      const squashed = [step("001-all", ["001", "002"]), step("003")];
      await main.migrate("older", [step("001"), step("002")]);
      for (const _start of ["first", "second"]) await main.migrate("older", squashed);
      await main.migrate("fresh", squashed);
      expect(applied).toEqual(["001", "002", "003", "001-all", "003"]);
      await main.migrate("partial", [step("001")]);
      await expect(main.migrate("partial", squashed)).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining("written by a Parley older than 0.1.0"),
      });
    });
  });
}
