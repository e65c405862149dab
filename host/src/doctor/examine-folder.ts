import { existsSync } from "node:fs";
import { access, constants, readFile, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { listBackups, toManifestPath } from "../backup/backup-manifest.ts";
import { type Finding, ok, problem, untranslated, warning } from "./finding.ts";

const MEBIBYTE = 1024 * 1024;
const MIN_FREE_BYTES = 100 * MEBIBYTE;
const LOW_FREE_BYTES = 1024 * MEBIBYTE;
const DAY_MS = 86_400_000;
const OLD_BACKUP_MS = 8 * DAY_MS;
const MAX_CLOCK_AHEAD_MS = 5 * 60_000;

/** Examines a data folder, with or without a running service. Writes nothing. `externalStorage`: the package that stores the rows elsewhere. */
export async function examineFolder(data: string, now: number, externalStorage?: string): Promise<readonly Finding[]> {
  if (!existsSync(data))
    return [
      ok("folder", {
        en: `${data} is not there yet: the first start makes it`,
        zh: `${data} 尚不存在，首次启动时创建`,
      }),
    ];
  const names = externalStorage === undefined ? await readDatabaseNames(data) : [];
  const databases = await Promise.all(names.map((name) => examineDatabase(data, name)));
  return [
    await examineRights(data),
    await examineDisk(data),
    ...databases,
    await examineClock(data, names, now),
    externalStorage === undefined
      ? await examineBackups(data, now)
      : ok("database", {
          en: `rows are kept by ${externalStorage}: back them up there, or with parley backup`,
          zh: `数据由 ${externalStorage} 保存：请在那里备份，或运行 parley backup`,
        }),
  ];
}

export async function examineRights(data: string): Promise<Finding> {
  try {
    await access(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem(
      "rights",
      { en: `${data} cannot be written by this user`, zh: `当前用户无法写入 ${data}` },
      { en: "give it to the user that runs the service", zh: "请将其归还给运行服务的用户" },
    );
  }
  const { mode } = await stat(data);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    const message = { en: `other users of this machine can look into ${data}`, zh: `本机其他用户可以查看 ${data}` };
    return warning("rights", message, untranslated(`chmod 700 ${data}`));
  }
  return ok("rights", { en: "only its owner can read the data folder", zh: "只有所有者可以读取数据文件夹" });
}

export async function examineDisk(data: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(data);
  const free = bavail * bsize;
  const mebibytes = Math.floor(free / MEBIBYTE);
  const message = {
    en: `${mebibytes} MiB are free on the disk of ${data}`,
    zh: `${data} 所在磁盘剩余 ${mebibytes} MiB`,
  };
  const advice = {
    en: "make room: remove old backups and logs, or move the folder to a larger disk",
    zh: "请清理旧备份和日志，或将文件夹移到更大的磁盘",
  };
  if (free < MIN_FREE_BYTES) return problem("disk", message, advice, { mebibytes });
  return free < LOW_FREE_BYTES ? warning("disk", message, advice, { mebibytes }) : ok("disk", message);
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
  const restore = {
    en: "restore a backup: parley restore <backup> --data-dir <new folder>",
    zh: "请恢复备份：parley restore <备份> --data-dir <新文件夹>",
  };
  const found = await stat(file).catch(() => undefined);
  if (!found || found.size === 0) {
    const isNew = !existsSync(join(data, "databases.json"));
    if (isNew) return ok(about, { en: "not made yet", zh: "尚未创建" });
    const message = found
      ? { en: `${file} is empty`, zh: `${file} 是空文件` }
      : { en: `${file} is missing`, zh: `${file} 不存在` };
    return problem(about, message, restore);
  }
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const [row] = database.prepare("PRAGMA quick_check(1)").all();
    const result = Object.values(row ?? {})[0];
    if (result !== "ok") {
      return problem(about, { en: `${file} is damaged: ${result}`, zh: `${file} 已损坏：${result}` }, restore);
    }
    const mebibytes = Math.ceil(found.size / MEBIBYTE);
    return ok(about, { en: `whole, ${mebibytes} MiB`, zh: `完整，${mebibytes} MiB` });
  } catch (error) {
    const { message } = error as Error;
    return problem(about, { en: `${file} cannot be read: ${message}`, zh: `${file} 无法读取：${message}` }, restore);
  }
}

/** Reports files with a time in the future: the clock was wrong then, or is wrong now. */
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
  const [here, changed] = [now, newest].map((ms) => new Date(ms).toISOString());
  if (newest - now <= MAX_CLOCK_AHEAD_MS) return ok("clock", { en: `it is ${here}`, zh: `当前时间 ${here}` });
  return problem(
    "clock",
    {
      en: `it is ${here} here, and the data was last changed at ${changed}`,
      zh: `本机时间为 ${here}，而数据的最后修改时间是 ${changed}`,
    },
    {
      en: "set the clock of this machine (timedatectl set-ntp true): schedules, logins and the order of messages go by it",
      zh: "请校准本机时钟（timedatectl set-ntp true）：计划任务、登录和消息顺序都依赖它",
    },
  );
}

export async function examineBackups(data: string, now: number): Promise<Finding> {
  const advice = {
    en: "press 'Back up now' on the Jobs page or run parley backup, or switch on 'Back up every night' in the settings",
    zh: "请在“后台任务”页面点击“立即备份”或运行 parley backup，也可在设置中启用“每晚备份”",
  };
  const folder = join(data, "backups");
  const [newest] = await listBackups(folder);
  const made = newest && (await stat(toManifestPath(newest)).catch(() => undefined));
  if (!made) return warning("backups", { en: `there is no backup in ${folder}`, zh: `${folder} 中没有备份` }, advice);
  const days = Math.floor((now - made.mtimeMs) / DAY_MS);
  if (now - made.mtimeMs > OLD_BACKUP_MS) {
    const message = { en: `the newest backup is ${days} days old`, zh: `最近的备份是 ${days} 天前的` };
    return warning("backups", message, advice, { days });
  }
  return ok("backups", { en: `the newest is ${newest}`, zh: `最近的备份是 ${newest}` });
}
