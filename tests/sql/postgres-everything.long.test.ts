import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPostgresPrograms, startPostgres } from "../harness/servers/postgres.ts";
import { runEverything } from "./all-statements.ts";

const programs = findPostgresPrograms();

test.skipIf(!programs)(
  "everything runs on PostgreSQL, and nothing is stored in files",
  async () => {
    await using server = await startPostgres(programs ?? "");
    const root = mkdtempSync(join(tmpdir(), "parley-on-postgres-"));
    try {
      await runEverything({ root, server: server.folder });
      const files = readdirSync(join(root, "data"), { recursive: true }) as string[];
      // Backups are left out, because a backup of a server consists of database files.
      const own = files.filter((name) => !name.startsWith("backups"));
      expect(own.filter((name) => name.endsWith(".db"))).toEqual([]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
  180_000,
);
