import type { Finding as Shown } from "@parley/core";
import { examineBackups, examineDisk, examineRights } from "./examine-folder.ts";
import type { Finding } from "./finding.ts";

const CONSOLE_PAGES: Readonly<Record<string, string>> = { backups: "/jobs" };

/** Runs the quick checks of `parley doctor` for a running service; slow ones are left to the command. */
export async function examineMachine(data: string, now: number, externalStorage?: string): Promise<readonly Shown[]> {
  // Rows in another storage are backed up there.
  const backups = externalStorage === undefined ? [examineBackups(data, now)] : [];
  const found = await Promise.all([examineDisk(data), examineRights(data), ...backups]);
  return found.flatMap(toConsoleFindings);
}

function toConsoleFindings({ about, level, said, advice, parameters }: Finding): readonly Shown[] {
  if (level === "ok" || advice === undefined) return [];
  const page = CONSOLE_PAGES[about];
  const key = about === "backups" && parameters === undefined ? "host.no_backups" : `host.${about}`;
  return [{ key, level, said, advice, ...(parameters && { parameters }), ...(page && { page }) }];
}
