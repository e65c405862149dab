import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runBackup, runRestore } from "../../host/cli/src/backup/backup-command.ts";
import { readConfiguration } from "../../host/src/config/configuration.ts";
import { collectDeclaredSteps } from "../../host/src/migrate/declared-steps.ts";
import { isInFiles } from "../harness/chosen-storage.ts";
import { listEmptyTables, makeEveryTable, readRows } from "./one-of-every-kind.ts";

let root: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-every-kind-"));
  await makeEveryTable(root);
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (...path: readonly string[]) => join(root, ...path);

test.runIf(isInFiles)("every table of the service is declared, and has a row here", async () => {
  writeFileSync(at("config.ini"), "");
  const { tables } = await collectDeclaredSteps(readConfiguration({ root, flags: {}, env: {} }), new Set());
  const made = Object.keys(readRows(at("data"))).map((name) => name.split(" ")[1] ?? "");
  expect(listEmptyTables(at("data"))).toEqual([]);
  expect(made.filter((name) => !tables.has(name))).toEqual([]);
  const isOfRecords = (name: string) => /^(records_|documents|window_|text_(memories|knowledge)$)/.test(name);
  expect(made).toEqual(
    expect.arrayContaining([...tables].filter((name) => isOfRecords(name) && !name.startsWith("text_"))),
  );
  expect([...tables].filter((name) => /^text_(memories|knowledge)$/.test(name))).toHaveLength(2);
});

test.runIf(isInFiles)("a restored backup of files has a row of every kind", async () => {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  await runBackup({ flags: { config: at("config.ini") }, to: at("backups"), keep: undefined, print });
  mkdirSync(at("restored"));
  writeFileSync(at("restored", "config.ini"), "");
  const from = (printed.at(-1) ?? "").replace("backup ", "");
  await runRestore({ flags: { config: at("restored", "config.ini") }, from, isTrial: false, print });
  expect(readRows(at("restored", "data"))).toEqual(readRows(at("data")));
});
