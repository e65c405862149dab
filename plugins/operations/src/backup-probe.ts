import { readdir } from "node:fs/promises";
import { type Clock, type Metric, measured, type Probe } from "@parley/core";

const NAME = /^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;
const OLD_DAYS = 8;
const AGE: Metric = {
  name: "parley_backup_age_seconds",
  help: "Age of the newest backup in data/backups; nothing when there is none.",
  kind: "gauge",
  scope: "installation",
  alerts: [
    {
      name: "BackupOld",
      severity: "warning",
      above: OLD_DAYS * 86_400,
      says: `The newest backup is more than ${OLD_DAYS} days old.`,
      advice:
        "Run parley backup, or switch on 'Back up every night' in the settings; Console → Jobs shows why one failed.",
    },
  ],
};

/** How old the newest backup is. */
export function backupProbe(folder: string, clock: Clock): Probe {
  return {
    id: "backups",
    metrics: [AGE],
    async measure() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      const newest = Math.max(...names.flatMap(timeOf));
      return [measured(AGE, Number.isFinite(newest) ? [{ value: (clock.now() - newest) / 1000 }] : [])];
    },
  };
}

function timeOf(name: string): readonly number[] {
  const found = NAME.exec(name);
  if (!found) return [];
  const [, year, month, day, hour, minute, second, ms] = found;
  return [Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)];
}
