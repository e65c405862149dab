import { basename, join } from "node:path";
import { HostControl } from "@parley/core";
import type { Call, Seed } from "../calls.ts";

async function createBackup({ host }: Seed): Promise<{ readonly backup_id: string }> {
  const { folder } = await host.get(HostControl).backUp(join(host.data, "backups"), 9);
  return { backup_id: basename(folder) };
}

export const BACKUP_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/backups": { gives: ["items", "total", "limit", "offset"] },
  "POST /api/backups/{backup_id}/check": { params: createBackup, gives: ["id", "problem"] },
  "GET /api/backups/{backup_id}/download": {
    params: createBackup,
    isRaw: true,
    type: /^application\/gzip$/,
    gives: ["\u001f"],
  },
  "DELETE /api/backups/{backup_id}": { params: createBackup, gives: ["id", "deleted"] },
};
