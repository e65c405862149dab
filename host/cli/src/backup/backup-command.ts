import { dirname, join, resolve } from "node:path";
import { AppError, BlobRows, BlobStore, EditedFiles, type ExtensionPoint, type ItemFailure } from "@parley/core";
import type { Flags } from "@parley/host";
import {
  type BackedUpFile,
  BUNDLED_PLUGINS,
  type Configuration,
  exportRows,
  findExternalStorage,
  type KnownBlobs,
  makeBackup,
  readConfiguration,
  readHostVersion,
  restoreBackup,
  UNDECLARED_TABLE,
} from "@parley/host/tooling";
import { registerPlugins } from "../check/check-configuration.ts";
import { restoreToServer } from "./restore-to-server.ts";

interface CommandOptions {
  readonly flags: Flags;
  print(line: string): void;
}

export interface BackupCommandOptions extends CommandOptions {
  readonly to: string | undefined;
  readonly keep: number | undefined;
  /** True omits files in external storage. Absent: the plugin's settings decide. */
  readonly isWithoutFiles?: boolean | undefined;
}

export interface RestoreCommandOptions extends CommandOptions {
  readonly from: string;
  readonly isTrial: boolean;
}

/** Runs `parley backup`; the service may be running. */
export async function runBackup({ flags, to, keep, isWithoutFiles, print }: BackupCommandOptions): Promise<void> {
  const configuration = readFlagsConfiguration(flags);
  const { data, root } = configuration;
  const isExternal = findExternalStorage(configuration) !== undefined;
  const made = await makeBackup({
    data,
    root,
    to: resolve(to ?? join(data, "backups")),
    version: readHostVersion(),
    now: Date.now(),
    ...(keep !== undefined && { keep }),
    ...(isExternal && { rows: (into) => exportRows(configuration, into) }),
    ...(await findKnownFiles(flags)),
    isWithoutFiles,
  });
  print(`${made.files} files, ${formatSize(made.bytes)}, ${made.shared} of them as in the backup before`);
  const { elsewhere, named } = made;
  if (elsewhere) print(`${named} files are named by rows, ${elsewhere.files} of them from ${elsewhere.place}`);
  const tables = made.missing.filter(isUndeclaredTable);
  for (const { error } of made.missing.filter((one) => !isUndeclaredTable(one))) print(`note: ${error}`);
  print(`backup ${made.folder}`);
  if (tables.length === 0) return;
  const lines = ["the backup was made, and rows are not in it:", ...tables.map(({ error }) => error)];
  throw new AppError("conflict", lines.join("\n  - "));
}

/** Returns true for a table that no installed plugin declares. */
function isUndeclaredTable({ detail }: ItemFailure): boolean {
  return detail?.key === UNDECLARED_TABLE;
}

/** Runs `parley restore`: into a new folder and, where a server stores the rows, an empty database. */
export async function runRestore({ flags, from, isTrial, print }: RestoreCommandOptions): Promise<void> {
  const configuration = readFlagsConfiguration(flags);
  const { data, root } = configuration;
  const options = { from: resolve(from), data, root, version: readHostVersion(), isTrial };
  const isExternal = findExternalStorage(configuration) !== undefined;
  const blobs = hasThirdParty(configuration) ? (await findKnownFiles(flags)).blobs : undefined;
  const { created_at, files, skipped, missing, product_version } = await (isExternal
    ? restoreToServer({ ...options, configuration, print })
    : restoreBackup(options));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  print(
    `made ${created_at} by Parley ${product_version}: ${files.length} files, ${formatSize(bytes)}, all as they were`,
  );
  for (const { error } of missing) print(`note: when it was made, ${error}`);
  for (const path of skipped) print(`note: ${path} is there already and stays; the backup has another one`);
  for (const sentence of describeDeferredFiles(blobs, files)) print(sentence);
  print(isTrial ? `it can be restored to ${data}; nothing was written` : `restored to ${data}`);
}

/** Finds the files that rows name and those that people edit, according to the enabled plugins; starts none of them. */
async function findKnownFiles(flags: Flags): Promise<{ blobs: KnownBlobs; editedFiles: readonly string[] }> {
  const { generation } = await registerPlugins({ flags });
  const list = <T>(point: ExtensionPoint<T>) =>
    generation.unstarted(point).flatMap((one) => ("made" in one ? [one.made] : []));
  const store = generation.from.find(BlobStore);
  return {
    blobs: { rows: list(BlobRows), store, problems: generation.problems },
    editedFiles: list(EditedFiles).map(({ path }) => path),
  };
}

/** Returns true when a third-party plugin is enabled; only those may store files elsewhere. */
function hasThirdParty({ plugins }: Configuration): boolean {
  return plugins.some(({ id, enabled }) => enabled && !Object.hasOwn(BUNDLED_PLUGINS, id));
}

function describeDeferredFiles(blobs: KnownBlobs | undefined, files: readonly BackedUpFile[]): readonly string[] {
  if (!blobs?.store || blobs.store.isLeaving) return [];
  const folders = new Set(blobs.rows.map(({ folder }) => folder));
  const count = files.filter(({ path }) => folders.has(dirname(path))).length;
  const where = `${blobs.store.place} when the service has started (Console → Jobs)`;
  return count === 0 ? [] : [`${count} of them go to ${where}; they can be read meanwhile`];
}

function readFlagsConfiguration(flags: Flags) {
  return readConfiguration({ root: process.cwd(), flags, env: process.env });
}

function formatSize(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
