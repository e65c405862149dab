import { readdir } from "node:fs/promises";
import { type Clock, type Metric, type Probe, toMeasurement } from "@parley/core";

const BACKUP_NAME = /^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;
const STALE_DAYS = 8;
const AGE_METRIC: Metric = {
  name: "parley_backup_age_seconds",
  help: "Age of the newest backup in data/backups; no value without a backup.",
  kind: "gauge",
  scope: "installation",
  alerts: [
    {
      name: "BackupOld",
      severity: "warning",
      above: STALE_DAYS * 86_400,
      says: `The newest backup is more than ${STALE_DAYS} days old.`,
      advice:
        "Run parley backup, or switch on 'Back up every night' in the settings; Console → Jobs shows why one failed.",
    },
  ],
};

/** Reports the age of the newest backup. */
export function createBackupProbe(folder: string, clock: Clock): Probe {
  return {
    id: "backups",
    metrics: [AGE_METRIC],
    async measure() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      const newest = Math.max(...names.flatMap(parseBackupTime));
      return [toMeasurement(AGE_METRIC, Number.isFinite(newest) ? [{ value: (clock.now() - newest) / 1000 }] : [])];
    },
  };
}

function parseBackupTime(name: string): readonly number[] {
  const found = BACKUP_NAME.exec(name);
  if (!found) return [];
  const [, year, month, day, hour, minute, second, ms] = found;
  return [Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)];
}
