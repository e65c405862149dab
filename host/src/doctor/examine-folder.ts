import { existsSync } from "node:fs";
import { access, constants, readFile, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { listBackups, toManifestPath } from "../backup/backup-manifest.ts";
import { hostTexts } from "../texts.ts";
import { type Finding, toOk, toProblem, toWarning, untranslated } from "./finding.ts";

const MEBIBYTE = 1024 * 1024;
const MIN_FREE_BYTES = 100 * MEBIBYTE;
const LOW_FREE_BYTES = 1024 * MEBIBYTE;
const DAY_MS = 86_400_000;
const OLD_BACKUP_MS = 8 * DAY_MS;
const MAX_CLOCK_AHEAD_MS = 5 * 60_000;

/** Examines a data folder, with or without a running service. Writes nothing. `externalStorage` is the package that stores the rows elsewhere. */
export async function examineFolder(data: string, now: number, externalStorage?: string): Promise<readonly Finding[]> {
  if (!existsSync(data)) return [toOk("folder", hostTexts.localized("folder_new", { data }))];
  const names = externalStorage === undefined ? await readDatabaseNames(data) : [];
  const databases = await Promise.all(names.map((name) => examineDatabase(data, name)));
  return [
    await examineRights(data),
    await examineDisk(data),
    ...databases,
    await examineClock(data, names, now),
    externalStorage === undefined
      ? await examineBackups(data, now)
      : toOk("database", hostTexts.localized("rows_external", { storage: externalStorage })),
  ];
}

export async function examineRights(data: string): Promise<Finding> {
  try {
    await access(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return toProblem("rights", hostTexts.localized("rights_none", { data }), hostTexts.localized("rights_advice"));
  }
  const { mode } = await stat(data);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return toWarning("rights", hostTexts.localized("rights_open", { data }), untranslated(`chmod 700 ${data}`));
  }
  return toOk("rights", hostTexts.localized("rights_ok"));
}

export async function examineDisk(data: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(data);
  const free = bavail * bsize;
  const mebibytes = Math.floor(free / MEBIBYTE);
  const message = hostTexts.localized("disk_free", { mebibytes, data });
  const advice = hostTexts.localized("disk_advice");
  if (free < MIN_FREE_BYTES) return toProblem("disk", message, advice, { mebibytes });
  return free < LOW_FREE_BYTES ? toWarning("disk", message, advice, { mebibytes }) : toOk("disk", message);
}

async function readDatabaseNames(data: string): Promise<readonly string[]> {
  const text = await readFile(join(data, "databases.json"), "utf8").catch(() => "{}");
  try {
    const { databases = [] } = JSON.parse(text) as { readonly databases?: readonly string[] };
    return [...new Set(["parley.db", ...databases])];
  } catch {
    return ["parley.db"];
  }
}

async function examineDatabase(data: string, name: string): Promise<Finding> {
  const about = `database ${name}`;
  const file = join(data, name);
  const restore = hostTexts.localized("database_restore");
  const found = await stat(file).catch(() => undefined);
  if (!found || found.size === 0) {
    const isNew = !existsSync(join(data, "databases.json"));
    if (isNew) return toOk(about, hostTexts.localized("database_new"));
    return toProblem(about, hostTexts.localized(found ? "database_empty" : "database_missing", { file }), restore);
  }
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const [row] = database.prepare("PRAGMA quick_check(1)").all();
    const result = Object.values(row ?? {})[0];
    if (result !== "ok") {
      return toProblem(about, hostTexts.localized("database_damaged", { file, result: String(result) }), restore);
    }
    const mebibytes = Math.ceil(found.size / MEBIBYTE);
    return toOk(about, hostTexts.localized("database_ok", { mebibytes }));
  } catch (error) {
    const unread = hostTexts.localized("database_unread", { file, reason: (error as Error).message });
    return toProblem(about, unread, restore);
  }
}

/** Reports files with a time in the future, which means that the clock was wrong then or is wrong now. */
async function examineClock(data: string, names: readonly string[], now: number): Promise<Finding> {
  const times = await Promise.all(
    names.flatMap((name) =>
      ["", "-wal"].map((suffix) =>
        stat(join(data, name + suffix)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    ),
  );
  const newest = Math.max(0, ...times);
  const here = new Date(now).toISOString();
  if (newest - now <= MAX_CLOCK_AHEAD_MS) return toOk("clock", hostTexts.localized("clock_ok", { here }));
  const message = hostTexts.localized("clock_behind", { here, changed: new Date(newest).toISOString() });
  return toProblem("clock", message, hostTexts.localized("clock_advice"));
}

export async function examineBackups(data: string, now: number): Promise<Finding> {
  const advice = hostTexts.localized("backups_advice");
  const folder = join(data, "backups");
  const [newest] = await listBackups(folder);
  const made = newest && (await stat(toManifestPath(newest)).catch(() => undefined));
  if (!made) return toWarning("backups", hostTexts.localized("backups_none", { folder }), advice);
  const days = Math.floor((now - made.mtimeMs) / DAY_MS);
  if (now - made.mtimeMs > OLD_BACKUP_MS) {
    return toWarning("backups", hostTexts.localized("backups_old", { days }), advice, { days });
  }
  return toOk("backups", hostTexts.localized("backups_ok", { newest }));
}
