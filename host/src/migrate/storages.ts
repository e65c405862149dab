import { existsSync } from "node:fs";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError, type Database, type Databases } from "@parley/core";
import type { Configuration } from "../config/configuration.ts";
import { findExternalStorage } from "../config/external-storage.ts";
import { BUNDLED_PLUGINS } from "../plugins/first-party.ts";
import { syncToDisk } from "../process/file-system.ts";
import type { OwnerSteps } from "./declared-steps.ts";
import { type OpenRows, openRows } from "./open-rows.ts";
import type { Source } from "./plan-move.ts";
import { finishMove } from "./progress.ts";

export const POSTGRES = "@parley/plugin-postgres";
const MAIN_DATABASE = "parley.db";
/** Folder in the data folder for files that are not complete yet. */
const UNFINISHED_FOLDER = "moving";
const URL_ENV = "PARLEY_DATABASE_URL";

export interface Target extends OpenRows {
  readonly openFile: (file: string) => Promise<Database>;
  /** Called when all rows are copied; from then on a service may start on them. */
  readonly finish: () => Promise<void>;
}

/** Returns the configuration with another storage. */
export function withStorage(configuration: Configuration, storage: string, url?: string): Configuration {
  const { settings = {} } = configuration.plugins.find(({ id }) => id === "storage") ?? {};
  const { url_env = URL_ENV } = settings as { readonly url_env?: string };
  const isSame = findExternalStorage(configuration) === storage;
  // No other process may use either database meanwhile.
  const storageSettings = storage === POSTGRES ? { ...(isSame && settings), url_env, nodes: "false" } : {};
  const plugins = configuration.plugins.map((one) =>
    one.id === "storage" ? { ...one, package: storage, isNamed: true, settings: storageSettings } : one,
  );
  const environment = url === undefined ? configuration.environment : { ...configuration.environment, [url_env]: url };
  return { ...configuration, plugins, environment };
}

/** Opens the current storage of the rows; rejects with `bad_request` when it has none. */
export async function openSource(configuration: Configuration): Promise<OpenRows> {
  const storage = findExternalStorage(configuration) ?? (BUNDLED_PLUGINS.storage as string);
  const isInFiles = storage === BUNDLED_PLUGINS.storage;
  if (isInFiles && !existsSync(join(configuration.data, MAIN_DATABASE))) {
    throw new AppError("bad_request", `there are no rows to move: ${configuration.data} has no ${MAIN_DATABASE}`);
  }
  return openRows(withStorage(configuration, storage));
}

/** Opens the databases with the rows; for a storage in files also those that plugins have besides the main one. */
export async function openSources(
  databases: Databases,
  configuration: Configuration,
  steps: readonly OwnerSteps[],
): Promise<readonly Source[]> {
  const { ownTables = [] } = databases;
  const main = { database: databases.main, ownTables };
  if (findExternalStorage(configuration) !== undefined) return [main];
  const files = new Set(steps.flatMap(({ file }) => (file !== undefined && existsSync(file) ? [file] : [])));
  const others = await Promise.all([...files].map((file) => databases.open(file, { isHistory: true })));
  return [main, ...others.map((database) => ({ database, ownTables }))];
}

export async function openPostgres(configuration: Configuration, url: string | undefined): Promise<Target> {
  const rows = await openRows(withStorage(configuration, POSTGRES, url));
  const { main } = rows.databases;
  return { ...rows, openFile: async () => main, finish: () => finishMove(main) };
}

/** Throws `conflict` when the data folder has rows already. */
export function rejectExistingFiles({ data }: Configuration): void {
  rejectExistingFile(join(data, MAIN_DATABASE));
}

function rejectExistingFile(file: string): void {
  if (existsSync(file))
    throw new AppError("conflict", `${file} is there already and is not touched: move it away first`);
}

/** Opens target files in a temporary folder until all are complete; `steps` name those besides the main one. */
export async function openFiles(configuration: Configuration, steps: readonly OwnerSteps[]): Promise<Target> {
  const { data } = configuration;
  const unfinishedFolder = join(data, UNFINISHED_FOLDER);
  rejectExistingFiles(configuration);
  const storage = withStorage(configuration, BUNDLED_PLUGINS.storage as string);
  const rows = await openRows({ ...storage, data: unfinishedFolder });
  const others = [...new Set(steps.flatMap(({ file }) => file ?? []))];
  const toUnfinishedPath = (file: string) => join(unfinishedFolder, basename(file));
  return {
    ...rows,
    openFile(file) {
      rejectExistingFile(file);
      return rows.databases.open(toUnfinishedPath(file));
    },
    async finish() {
      await rows[Symbol.asyncDispose]();
      // The main database is moved last, since it makes the rows valid. Files already there were moved before an interruption.
      for (const file of others) await moveIntoPlace(toUnfinishedPath(file), file);
      await moveIntoPlace(join(unfinishedFolder, MAIN_DATABASE), join(data, MAIN_DATABASE));
      await rm(unfinishedFolder, { recursive: true });
      await using whole = await openRows(storage);
      for (const file of others) if (existsSync(file)) await finishMove(await whole.databases.open(file));
      await finishMove(whole.databases.main);
    },
  };
}

async function moveIntoPlace(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  if (existsSync(`${from}-wal`))
    throw new AppError("unavailable", `${from} could not be closed: run the command again`);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    // The target is on another disk.
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await copyFile(from, `${to}.part`);
    await syncToDisk(`${to}.part`);
    await rename(`${to}.part`, to);
    await rm(from);
  }
  await syncToDisk(dirname(to));
}
