import { existsSync } from "node:fs";
import { access, constants, readFile, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { backupsIn, manifestFile } from "../backup/backup-manifest.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const MEBIBYTE = 1024 * 1024;
const FULL = 100 * MEBIBYTE;
const NEARLY_FULL = 1024 * MEBIBYTE;
const DAY_MS = 86_400_000;
const OLD_BACKUP_MS = 8 * DAY_MS;
const CLOCK_MS = 5 * 60_000;

/** What a data folder is like, whether or not a service works in it. Nothing is written. `keeper`: who keeps the rows elsewhere. */
export async function examineFolder(data: string, now: number, keeper?: string): Promise<readonly Finding[]> {
  if (!existsSync(data)) return [ok("folder", `${data} is not there yet: the first start makes it`)];
  const names = keeper === undefined ? await databasesOf(data) : [];
  const databases = await Promise.all(names.map((name) => examineDatabase(data, name)));
  return [
    await examineRights(data),
    await examineDisk(data),
    ...databases,
    await examineClock(data, names, now),
    keeper === undefined
      ? await examineBackups(data, now)
      : ok("database", `rows are kept by ${keeper}, and backed up there`),
  ];
}

export async function examineRights(data: string): Promise<Finding> {
  try {
    await access(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem("rights", `${data} cannot be written by this user`, "give it to the user that runs the service");
  }
  const { mode } = await stat(data);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return warning("rights", `other users of this machine can look into ${data}`, `chmod 700 ${data}`);
  }
  return ok("rights", "only its owner can read the data folder");
}

export async function examineDisk(data: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(data);
  const free = bavail * bsize;
  const mebibytes = Math.floor(free / MEBIBYTE);
  const said = `${mebibytes} MiB are free on the disk of ${data}`;
  const advice = "make room: remove old backups and logs, or move the folder to a larger disk";
  if (free < FULL) return problem("disk", said, advice, { mebibytes });
  return free < NEARLY_FULL ? warning("disk", said, advice, { mebibytes }) : ok("disk", said);
}

async function databasesOf(data: string): Promise<readonly string[]> {
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
  const restore = "restore a backup: parley restore <backup> --data-dir <new folder>";
  const found = await stat(file).catch(() => undefined);
  if (!found || found.size === 0) {
    const isNew = !existsSync(join(data, "databases.json"));
    return isNew ? ok(about, "not made yet") : problem(about, `${file} is ${found ? "empty" : "missing"}`, restore);
  }
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const [row] = database.prepare("PRAGMA quick_check(1)").all();
    const said = Object.values(row ?? {})[0];
    if (said !== "ok") return problem(about, `${file} is damaged: ${said}`, restore);
    return ok(about, `whole, ${Math.ceil(found.size / MEBIBYTE)} MiB`);
  } catch (error) {
    return problem(about, `${file} cannot be read: ${(error as Error).message}`, restore);
  }
}

/** Files of the service that are of tomorrow: the clock was wrong then, or is now. */
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
  if (newest - now <= CLOCK_MS) return ok("clock", `it is ${new Date(now).toISOString()}`);
  return problem(
    "clock",
    `it is ${new Date(now).toISOString()} here, and the data was last changed at ${new Date(newest).toISOString()}`,
    "set the clock of this machine (timedatectl set-ntp true): schedules, logins and the order of messages go by it",
  );
}

export async function examineBackups(data: string, now: number): Promise<Finding> {
  const advice = "run parley backup, or switch on 'Back up every night' in the settings";
  const [newest] = await backupsIn(join(data, "backups"));
  const made = newest && (await stat(manifestFile(newest)).catch(() => undefined));
  if (!made) return warning("backups", `there is no backup in ${join(data, "backups")}`, advice);
  const days = Math.floor((now - made.mtimeMs) / DAY_MS);
  if (now - made.mtimeMs > OLD_BACKUP_MS) {
    return warning("backups", `the newest backup is ${days} days old`, advice, { days });
  }
  return ok("backups", `the newest is ${newest}`);
}
