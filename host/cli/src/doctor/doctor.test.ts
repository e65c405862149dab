import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Check } from "@parley/core";
import { examineFolder, makeBackup, untranslated } from "@parley/host/tooling";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { examineService } from "./examine-service.ts";
import { examineTables } from "./examine-tables.ts";

const DAY_MS = 86_400_000;

let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "parley-doctor-"));
  using database = new DatabaseSync(join(data, "parley.db"));
  database.exec("CREATE TABLE said (text TEXT); INSERT INTO said VALUES ('hello')");
  writeFileSync(join(data, "databases.json"), '{ "databases": ["parley.db"] }');
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const levels = async (now = Date.now()) =>
  Object.fromEntries((await examineFolder(data, now)).map(({ about, level }) => [about, level]));

describe("a data folder", () => {
  test("is well when everything is whole, closed to others and backed up", async () => {
    expect(await levels()).toMatchObject({ backups: "warning", rights: "ok" });
    await makeBackup({ data, root: data, to: join(data, "backups"), version: "1.0.0", now: Date.now() });
    expect(await levels()).toEqual({
      rights: "ok",
      disk: expect.any(String),
      "database parley.db": "ok",
      clock: "ok",
      backups: "ok",
    });
    expect(await levels(Date.now() + 30 * DAY_MS)).toMatchObject({ backups: "warning" });
  });

  test("that others can read, or that lacks a database, is reported with advice", async () => {
    chmodSync(data, 0o755);
    writeFileSync(join(data, "databases.json"), '{ "databases": ["parley.db", "gone.db"] }');
    const findings = await examineFolder(data, Date.now());
    expect(findings).toContainEqual(
      expect.objectContaining({ about: "rights", advice: untranslated(`chmod 700 ${data}`) }),
    );
    const text = { en: expect.stringContaining("missing"), zh: expect.stringContaining("不存在") };
    const gone = { about: "database gone.db", level: "problem", said: text };
    expect(findings).toContainEqual(expect.objectContaining(gone));
  });

  test("with a file that is no database, or a clock that went back, has a problem", async () => {
    writeFileSync(join(data, "parley.db"), "no database at all, though it is long enough to be looked at");
    const tomorrow = new Date(Date.now() + DAY_MS);
    utimesSync(join(data, "parley.db"), tomorrow, tomorrow);
    expect(await levels()).toMatchObject({ "database parley.db": "problem", clock: "problem" });
  });

  test("with a migration of a newer version has a problem that prevents a start", () => {
    const found = (own: string) => examineTables(data, [], { version: own, now: Date.now() });
    expect(found("1.0.0")).toEqual([]);
    {
      using database = new DatabaseSync(join(data, "parley.db"));
      database.exec(
        `CREATE TABLE migration_versions (owner TEXT, id TEXT, version TEXT);
         INSERT INTO migration_versions VALUES ('knowledge', '009-later', '1.2.0')`,
      );
    }
    expect(found("1.2.0")).toMatchObject([{ about: "version", level: "ok" }]);
    const text = { en: expect.stringContaining("was written by Parley 1.2.0, and this is 1.1.0") };
    expect(found("1.1.0")).toMatchObject([{ about: "version", level: "problem", said: text }]);
    const copy = join(data, "backups", "before-1.2.0-20260101T000000Z", "parley.db");
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, "as it was");
    const named = { en: expect.stringContaining(`Install 1.2.0 or newer, or put ${copy} in its place`) };
    expect(found("1.1.0")).toMatchObject([{ about: "version", level: "problem", said: named }]);
  });

  test("reports what its plugins find in their tables, and skips tables that do not exist", () => {
    const check = (id: string, tables: readonly string[], isWrong = true): Check => ({
      id,
      run: async () => [],
      atRest: {
        tables,
        examine: (read) => {
          const text = untranslated(read<{ text: string }>("select text from said")[0]?.text ?? "");
          return isWrong ? [{ key: `${id}.said`, level: "warning", said: text, advice: untranslated("do") }] : [];
        },
      },
    });
    const running: Check = { id: "running", run: async () => [] };
    const checks = [check("here", ["said"]), check("later", ["said", "gone"]), check("well", ["said"], false), running];
    expect(examineTables(data, checks, { version: "1", now: 0 })).toEqual([
      { about: "here", level: "warning", said: untranslated("hello"), advice: untranslated("do") },
      {
        about: "well",
        level: "ok",
        said: expect.objectContaining({ en: "nothing is waiting and nothing has failed for good" }),
      },
    ]);
  });

  test("that does not exist yet is no problem", async () => {
    expect(await examineFolder(join(data, "later"), Date.now())).toMatchObject([{ about: "folder", level: "ok" }]);
  });
});

describe("a service", () => {
  let server: Server;
  let asked: string | undefined;
  beforeEach(async () => {
    server = createServer(({ headers, url }, response) => {
      asked = headers.authorization;
      const parts = [
        { name: "gateway", state: "ok", error: null },
        { name: "storage", state: "down", error: "nothing can be stored" },
      ];
      if (url === "/api/system/findings") {
        const items = [
          {
            key: "component.storage",
            level: "problem",
            said: untranslated("storage: full"),
            advice: untranslated("the disk"),
          },
          {
            key: "channels.down",
            level: "problem",
            said: untranslated("Shop is down"),
            advice: untranslated("mend it"),
          },
          {
            key: "host.disk",
            level: "warning",
            said: untranslated("told of the folder already"),
            advice: untranslated("make room"),
          },
          {
            key: "host.restart",
            level: "warning",
            said: untranslated("a port was changed"),
            advice: untranslated("restart"),
          },
        ];
        response.end(JSON.stringify({ data: { items } }));
        return;
      }
      const open = { ready: true, phase: "degraded" };
      response.end(JSON.stringify({ data: asked ? { ...open, version: "1.0.0", components: parts } : open }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    writeFileSync(join(data, "instance.json"), JSON.stringify({ pid: process.pid, address: `127.0.0.1:${port}` }));
  });
  afterEach(async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });

  test("shows its parts only with a credential", async () => {
    const { findings: open } = await examineService({ data, version: "1.0.0", token: undefined });
    expect(open.map(({ about, level }) => [about, level])).toEqual([
      ["service", "ok"],
      ["parts", "ok"],
    ]);
    expect(asked).toBeUndefined();
    const { findings: known } = await examineService({ data, version: "1.1.0", token: "key" });
    expect(known).toMatchObject([
      { about: "service", level: "ok" },
      { about: "version", level: "warning", said: { en: "Parley 1.0.0 is running, and 1.1.0 is installed" } },
      { about: "gateway", level: "ok" },
      { about: "component", level: "problem", said: untranslated("storage: full"), advice: untranslated("the disk") },
      { about: "channels", level: "problem", said: untranslated("Shop is down"), advice: untranslated("mend it") },
      { about: "host", level: "warning", said: untranslated("a port was changed") },
    ]);
    expect(known).toHaveLength(6);
  });

  test("that does not respond is distinguished from one that does not run", async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const asked = { data, version: "1", token: undefined };
    expect(await examineService(asked)).toMatchObject({ isRunning: true, findings: [{ level: "problem" }] });
    writeFileSync(join(data, "instance.json"), '{ "pid": 999999999, "address": "127.0.0.1:1" }');
    expect(await examineService(asked)).toMatchObject({ isRunning: false, findings: [{ level: "ok" }] });
  });
});
