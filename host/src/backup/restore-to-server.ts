import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError, type Database } from "@parley/core";
import type { Configuration } from "../configuration.ts";
import { FIRST_PARTY } from "../first-party.ts";
import { declaredSteps, type OwnerSteps } from "../migrate/declared-steps.ts";
import { keptBy, openPostgres, POSTGRES, type Target } from "../migrate/ends.ts";
import { identityOf, moveRows, refuseUsed } from "../migrate/move-rows.ts";
import { type OpenRows, openRows } from "../migrate/open-rows.ts";
import { ownersIn, planMove, withAllPlugins } from "../migrate/plan-move.ts";
import { keeperElsewhere } from "../rows-elsewhere.ts";
import { type BackupManifest, contentFolder } from "./backup-manifest.ts";
import { copyWithHash } from "./copy-file.ts";
import { MAIN, NOTE } from "./make-backup.ts";
import { type Restored, type RestoreOptions, restoreBackup } from "./restore-backup.ts";
import { placeOf } from "./rows-as-files.ts";

/** What an earlier version wrote is brought up by a start, which needs the files too; and files take every table as it is. */
const WAY = "or restore it with the storage in files, start that and stop it, then: parley migrate --to postgres";

export interface RestoreToServer extends Omit<RestoreOptions, "rows"> {
  readonly configuration: Configuration;
  print(line: string): void;
}

/**
 * Puts a backup's rows into an empty database and its files into a data folder that is not there yet. What was ended in the
 * middle goes on when it is done again; until it is whole no service starts there.
 */
export async function restoreToServer({ configuration, print, ...options }: RestoreToServer): Promise<Restored> {
  const keeper = keeperElsewhere(configuration);
  if (keeper !== POSTGRES)
    throw new AppError("unavailable", `${keeper} keeps the rows, and they are not restored there`);
  await using target = await openPostgres(configuration, undefined);
  const rows = async (manifest: BackupManifest) => {
    const folder = `${options.data}.rows-${process.pid}`;
    await rm(folder, { recursive: true, force: true });
    try {
      await copyDatabases(options.from, manifest, folder);
      await putRows({ configuration, folder, target, isTrial: options.isTrial, print });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const restored = await restoreBackup({ ...options, rows });
  if (!options.isTrial) await target.finish();
  return restored;
}

/** A backup never changes, and to open a database is to change it. */
async function copyDatabases(from: string, { files }: BackupManifest, folder: string): Promise<void> {
  if (!files.some(({ path }) => path === MAIN)) throw new AppError("bad_request", `the backup ${from} has no ${MAIN}`);
  for (const { path, isDatabase } of files) {
    if (isDatabase || path === NOTE) await copyWithHash(join(contentFolder(from), path), join(folder, path));
  }
}

interface Putting {
  readonly configuration: Configuration;
  /** Where the copies are. */
  readonly folder: string;
  readonly target: Target;
  readonly isTrial: boolean;
  print(line: string): void;
}

async function putRows({ configuration, folder, target, isTrial, print }: Putting): Promise<void> {
  const inFiles = { ...keptBy(configuration, FIRST_PARTY.storage as string), data: folder };
  await using from = await openRows(inFiles);
  const owners = await ownersIn(from.databases.main);
  const declared = await declaredSteps(withAllPlugins(inFiles), owners);
  const opened = await openCopies(from, folder, declared.steps);
  const { ownTables = [] } = from.databases;
  const sources = [...opened.values()].map((database) => ({ database, ownTables }));
  const isGoingOn = await refuseUsed(target.databases.main, target.databases, await identityOf(sources));
  const { tables, refused, unknown } = await planMove(sources, declared, declared.tables, true);
  const against = [...refused, ...unknown.map(({ error }) => error)];
  if (against.length > 0)
    throw new AppError("conflict", ["the rows cannot be restored:", ...against, WAY].join("\n  - "));
  print(`${tables.reduce((all, { rows }) => all + rows, 0)} rows in ${tables.length} tables`);
  if (isTrial) return;
  if (isGoingOn) print("going on where the last one ended");
  const into = { target: target.databases, opened: target.opened };
  await moveRows({ sources, declared, ...into, copied() {} });
}

/** The main one, under undefined, and the others that are in the backup, by the files that plugins ask for. */
async function openCopies({ databases }: OpenRows, folder: string, steps: readonly OwnerSteps[]) {
  const opened = new Map<string | undefined, Database>([[undefined, databases.main]]);
  for (const file of new Set(steps.flatMap((one) => one.file ?? []))) {
    const copy = placeOf(file, folder, folder);
    if (existsSync(copy)) opened.set(file, await databases.open(copy, { isHistory: true }));
  }
  return opened;
}
