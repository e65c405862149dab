import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPostgresPrograms, startPostgres } from "../harness/servers/postgres.ts";
import { runEverything } from "./all-statements.ts";

const programs = findPostgresPrograms();

test.skipIf(!programs)(
  "everything runs on PostgreSQL, and nothing but a cache is stored in files",
  async () => {
    await using server = await startPostgres(programs ?? "");
    const root = mkdtempSync(join(tmpdir(), "parley-on-postgres-"));
    try {
      await runEverything({ root, server: server.folder });
      const files = readdirSync(join(root, "data"), { recursive: true }) as string[];
      // A backup of a server consists of database files, and each node has a cache of its own, which may be lost.
      const own = files.filter((name) => !name.startsWith("backups") && name !== "cache.db");
      expect(own.filter((name) => name.endsWith(".db"))).toEqual([]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
  180_000,
);
