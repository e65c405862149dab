import { join, resolve } from "node:path";
import { type Flags, readConfiguration } from "../configuration.ts";
import { hostVersion } from "../host-options.ts";
import { keeperElsewhere } from "../rows-elsewhere.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { restoreToServer } from "./restore-to-server.ts";
import { rowsAsFiles } from "./rows-as-files.ts";

interface Command {
  readonly flags: Flags;
  print(line: string): void;
}

export interface BackupCommand extends Command {
  readonly to: string | undefined;
  readonly keep: number | undefined;
}

export interface RestoreCommand extends Command {
  readonly from: string;
  readonly isTrial: boolean;
}

/** `parley backup`: the service may be running. */
export async function runBackup({ flags, to, keep, print }: BackupCommand): Promise<void> {
  const configuration = configured(flags);
  const { data, root } = configuration;
  const isElsewhere = keeperElsewhere(configuration) !== undefined;
  const made = await makeBackup({
    data,
    root,
    to: resolve(to ?? join(data, "backups")),
    version: hostVersion(),
    now: Date.now(),
    ...(keep !== undefined && { keep }),
    ...(isElsewhere && { rows: (into) => rowsAsFiles(configuration, into) }),
  });
  print(`${made.files} files, ${sizeOf(made.bytes)}, ${made.shared} of them as in the backup before`);
  for (const sentence of made.left) print(`note: ${sentence}`);
  print(`backup ${made.folder}`);
}

/** `parley restore`: into a folder that is not there yet, and, where a server keeps the rows, a database that has none. */
export async function runRestore({ flags, from, isTrial, print }: RestoreCommand): Promise<void> {
  const configuration = configured(flags);
  const { data, root } = configuration;
  const options = { from: resolve(from), data, root, version: hostVersion(), isTrial };
  const isElsewhere = keeperElsewhere(configuration) !== undefined;
  const { created_at, files, left, product_version } = await (isElsewhere
    ? restoreToServer({ ...options, configuration, print })
    : restoreBackup(options));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  print(`made ${created_at} by Parley ${product_version}: ${files.length} files, ${sizeOf(bytes)}, all as they were`);
  for (const path of left) print(`note: ${path} is there already and stays; the backup has another one`);
  print(isTrial ? `it can be restored to ${data}; nothing was written` : `restored to ${data}`);
}

function configured(flags: Flags) {
  return readConfiguration({ root: process.cwd(), flags, env: process.env });
}

function sizeOf(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
