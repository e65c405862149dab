import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqlConnection } from "./sql-connection.ts";
import { createSqlThread, type SqlThread } from "./sql-thread.ts";

let folder: string;
let thread: SqlThread;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-sql-"));
  thread = createSqlThread();
});

afterEach(async () => {
  await thread[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const connectionTo = (name: string) => createSqlConnection(thread, { file: join(folder, name), role: "writer" });
const plain = (sql: string) => ({ sql, parameters: [] });

test("connections of one thread are separate: each has its own file and transaction", async () => {
  const [one, other] = [connectionTo("one.db"), connectionTo("other.db")];
  for (const connection of [one, other]) await connection.run(plain("create table t (a)"));
  await one.exclusively(async ({ run }) => {
    await run(plain("begin immediate"));
    await run(plain("insert into t values (1)"));
    await other.write([plain("insert into t values (2)")]);
    await run(plain("rollback"));
  });
  expect((await one.run(plain("select a from t"))).rows).toEqual([]);
  expect((await other.run(plain("select a from t"))).rows).toEqual([{ a: 2 }]);
});

test("one closed connection stays closed, and the others continue", async () => {
  const [one, other] = [connectionTo("one.db"), connectionTo("other.db")];
  for (const connection of [one, other]) await connection.run(plain("create table t (a)"));
  await one.close();
  rmSync(join(folder, "one.db"));
  await expect(one.run(plain("select 1"))).rejects.toMatchObject({ code: "unavailable" });
  await expect(one.write([plain("insert into t values (1)")])).rejects.toMatchObject({ code: "unavailable" });
  await one.close();
  expect(existsSync(join(folder, "one.db"))).toBe(false);
  await other.write([plain("insert into t values (1)")]);
  expect((await other.run(plain("select a from t"))).rows).toEqual([{ a: 1 }]);
});

test("calls to an ended thread fail", async () => {
  const one = connectionTo("one.db");
  await one.run(plain("create table t (a)"));
  await thread[Symbol.asyncDispose]();
  await expect(one.run(plain("select a from t"))).rejects.toMatchObject({ code: "unavailable" });
  await expect(one.write([plain("insert into t values (1)")])).rejects.toMatchObject({ code: "unavailable" });
});
