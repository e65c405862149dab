import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { addResource, Databases, definePlugin, displayName, fixedStatement, resource, withLabel } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runBackup, runRestore } from "../../host/cli/src/backup/backup-command.ts";
import { examineUndeclared } from "../../host/cli/src/doctor/examine-undeclared.ts";
import { readConfiguration } from "../../host/src/config/configuration.ts";
import { isInFiles } from "../harness/chosen-storage.ts";
import { startParley } from "../harness/parley.ts";

const ships = resource<{ readonly name: string }>({
  kind: "ship",
  path: "/api/ships",
  param: "ship_id",
  idPrefix: "ship",
  title: { one: { en: "ship", zh: "船" }, many: { en: "ships", zh: "船" } },
  about: { en: "What sails.", zh: "航行的船只。" },
  fields: { name: withLabel(displayName(20).required(), { title: { en: "Name", zh: "名称" } }) },
  columns: ["name"],
});
const shipyard = definePlugin({
  id: "shipyard",
  requires: [Databases],
  register: (context) => addResource(context, ships),
  async start({ get }) {
    await get(Databases).main.migrate("shipyard", [
      {
        id: "001-repairs",
        up: (db) =>
          db.schema
            .createTable("repairs")
            .addColumn("id", "text", (column) => column.primaryKey())
            .execute(),
      },
    ]);
  },
});
const TABLES = ["records_ship", "records_ship_data", "repairs"];

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-removed-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const countRows = (folder: string) => {
  using database = new DatabaseSync(join(folder, "data", "parley.db"), { readOnly: true });
  return TABLES.map((table) => Number(database.prepare(`select count(*) as rows from ${table}`).get()?.rows));
};
const examine = async () => {
  const found = await examineUndeclared(readConfiguration({ root, flags: {}, env: {} }), []);
  return found.map((one) => `${one.level} ${one.said.en}`);
};

test.runIf(isInFiles)(
  "the tables of a removed plugin stay, are told by the doctor, and serve it when it comes back",
  async () => {
    {
      await using _parley = await startParley({ root });
    }
    expect(await examine()).toEqual([]);
    {
      await using parley = await startParley({ root, plugins: [shipyard] });
      const api = await parley.signIn();
      await api.post("/api/ships", { name: "Beagle" });
      await parley.host
        .get(Databases)
        .main.write([{ query: fixedStatement("insert into repairs (id) values ('mast')", []) }]);
    }
    {
      await using parley = await startParley({ root });
      expect((await (await parley.signIn()).send("GET", "/api/ships")).status).toBe(404);
    }
    expect(countRows(root)).toEqual([1, 1, 1]);
    expect(await examine()).toEqual(
      TABLES.map((table) => `warning ${table} has 1 row, and no installed plugin declares it`),
    );

    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    await runBackup({ flags: { config: join(root, "config.ini") }, to: join(root, "backups"), keep: undefined, print });
    const restored = mkdtempSync(join(tmpdir(), "parley-restored-"));
    try {
      writeFileSync(join(restored, "config.ini"), "");
      const from = (printed.at(-1) ?? "").replace("backup ", "");
      await runRestore({ flags: { config: join(restored, "config.ini") }, from, isTrial: false, print });
      expect(countRows(restored)).toEqual([1, 1, 1]);
    } finally {
      rmSync(restored, { recursive: true, force: true });
    }

    await using parley = await startParley({ root, plugins: [shipyard] });
    const api = await parley.signIn();
    expect(await api.get("/api/ships")).toMatchObject({ items: [{ name: "Beagle" }] });
  },
  60_000,
);
