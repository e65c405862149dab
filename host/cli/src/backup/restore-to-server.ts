import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError, type Database } from "@parley/core";
import {
  type BackupManifest,
  BUNDLED_PLUGINS,
  type Configuration,
  collectDeclaredSteps,
  computeIdentity,
  copyWithHash,
  DATABASES_FILE,
  findExternalStorage,
  MAIN_DATABASE,
  moveRows,
  type OpenRows,
  type OwnerSteps,
  openPostgres,
  openRows,
  POSTGRES,
  planMove,
  type Restored,
  type RestoreOptions,
  readOwners,
  rejectUsedDatabase,
  restoreBackup,
  type Target,
  toContentFolder,
  toExportPath,
  withAllPlugins,
  withStorage,
} from "@parley/host/tooling";

/** Advice for backups of an earlier version: only a start upgrades them, and only from files, since the storage in files accepts every table. */
const FILE_STORAGE_ADVICE =
  "or restore it with the storage in files, start that and stop it, then: parley migrate --to postgres";

export interface RestoreToServerOptions extends Omit<RestoreOptions, "rows"> {
  readonly configuration: Configuration;
  print(line: string): void;
}

/** Restores a backup into an empty database and a new data folder; an interrupted restore continues when repeated. */
export async function restoreToServer({ configuration, print, ...options }: RestoreToServerOptions): Promise<Restored> {
  const externalStorage = findExternalStorage(configuration);
  if (externalStorage !== POSTGRES)
    throw new AppError("unavailable", `${externalStorage} keeps the rows, and they are not restored there`);
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

/** Copies the databases, since opening one changes it and a backup must not change. */
async function copyDatabases(from: string, { files }: BackupManifest, folder: string): Promise<void> {
  if (!files.some(({ path }) => path === MAIN_DATABASE))
    throw new AppError("bad_request", `the backup ${from} has no ${MAIN_DATABASE}`);
  for (const { path, isDatabase } of files) {
    if (isDatabase || path === DATABASES_FILE)
      await copyWithHash(join(toContentFolder(from), path), join(folder, path));
  }
}

interface PutRowsOptions {
  readonly configuration: Configuration;
  readonly folder: string;
  readonly target: Target;
  readonly isTrial: boolean;
  print(line: string): void;
}

async function putRows({ configuration, folder, target, isTrial, print }: PutRowsOptions): Promise<void> {
  const inFiles = { ...withStorage(configuration, BUNDLED_PLUGINS.storage as string), data: folder };
  await using from = await openRows(inFiles);
  const owners = await readOwners(from.databases.main);
  const declared = await collectDeclaredSteps(withAllPlugins(inFiles), owners);
  const opened = await openCopies(from, folder, declared.steps);
  const { ownTables = [] } = from.databases;
  const sources = [...opened.values()].map((database) => ({ database, ownTables }));
  const isResumed = await rejectUsedDatabase(target.databases.main, target.databases, await computeIdentity(sources));
  const { tables, rejected, unknown } = await planMove(sources, declared, declared.tables, true);
  const problems = [...rejected, ...unknown.map(({ error }) => error)];
  if (problems.length > 0)
    throw new AppError("conflict", ["the rows cannot be restored:", ...problems, FILE_STORAGE_ADVICE].join("\n  - "));
  print(`${tables.reduce((all, { rows }) => all + rows, 0)} rows in ${tables.length} tables`);
  if (isTrial) return;
  if (isResumed) print("going on where the last one ended");
  const into = { target: target.databases, openFile: target.openFile };
  await moveRows({ sources, declared, ...into, onCopied() {} });
}

/** Opens the copies: the main database under `undefined`, and others by the files that plugins request. */
async function openCopies({ databases }: OpenRows, folder: string, steps: readonly OwnerSteps[]) {
  const opened = new Map<string | undefined, Database>([[undefined, databases.main]]);
  for (const file of new Set(steps.flatMap((one) => one.file ?? []))) {
    const copy = toExportPath(file, folder, folder);
    if (existsSync(copy)) opened.set(file, await databases.open(copy, { isHistory: true }));
  }
  return opened;
}
