import { basename, join } from "node:path";
import Joi from "@hapi/joi";
import {
  type HostControl,
  type JobKind,
  jobKind,
  type LiveEvents,
  resourceChanged,
  type Schedules,
  type Settings,
  setting,
} from "@parley/core";
import { operationsTexts } from "../texts.ts";

const BACKUP_JOB = "operations.backup";
/** Backups as `resource_changed` names them: administrators alone read them. */
export const BACKUPS = { kind: "backup", scopes: { read: "admin" } } as const;
const NIGHTLY_CRON = "30 3 * * *";
const HOUR_MS = 3_600_000;

const DAILY_SETTING = setting<boolean>({
  key: "backups.daily",
  schema: Joi.boolean().default(false),
  title: { en: "Back up every night", zh: "每晚备份" },
  help: {
    en: "Backs up everything to data/backups at 3:30. Copy that folder to another disk; `parley restore` restores it.",
    zh: "每天 3:30 将全部数据备份到 data/backups。请将该文件夹复制到其他磁盘，可用 `parley restore` 恢复。",
  },
  group: "system",
});
const KEEP_SETTING = setting<number>({
  key: "backups.keep",
  schema: Joi.number().integer().min(1).max(365).default(7),
  title: { en: "Backups to keep", zh: "保留的备份数量" },
  help: {
    en: "Older ones are removed. Unchanged files take up space only once.",
    zh: "更早的备份会被删除；未变化的文件只占用一份空间。",
  },
  group: "system",
});
export const BACKUP_SETTINGS = [DAILY_SETTING, KEEP_SETTING] as const;

export interface BackupJobDeps {
  readonly host: HostControl;
  readonly settings: Settings;
  readonly data: string;
  readonly events: LiveEvents;
}

/** Creates the job that backs up the data folder like `parley backup`. */
export function createBackupJob(deps: () => BackupJobDeps): JobKind {
  return jobKind({
    kind: BACKUP_JOB,
    titles: { en: "Back up", zh: "备份" },
    schema: Joi.object({}),
    concurrency: 1,
    retry: { attempts: 3, firstDelayMs: 60_000, maxDelayMs: HOUR_MS },
    timeoutMs: 6 * HOUR_MS,
    async run(_payload, { log }) {
      const { host, settings, data, events } = deps();
      const made = await host.backUp(join(data, "backups"), settings.get(KEEP_SETTING));
      const { folder, files, bytes, shared, missing } = made;
      events.publish(resourceChanged(BACKUPS, basename(folder), "created"));
      log(operationsTexts.message("backed_up", { folder, files, bytes, shared }));
      for (const one of missing) log(one);
    },
  });
}

/** Schedules nightly backups while the setting is on. Returns the function that stops following the setting. */
export async function scheduleBackups(schedules: Schedules, settings: Settings, onError: (error: unknown) => void) {
  const put = (enabled: boolean) =>
    schedules.put({
      id: BACKUP_JOB,
      kind: BACKUP_JOB,
      payload: {},
      cron: NIGHTLY_CRON,
      enabled,
      madeUpWithinMs: 12 * HOUR_MS,
    });
  await put(settings.get(DAILY_SETTING));
  return settings.watch(DAILY_SETTING, (isOn) => void put(isOn).catch(onError));
}
