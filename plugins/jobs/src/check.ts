import type { Check, CheckAtRest, Finding } from "@parley/core";
import type { JobCounts } from "./store/job-counts.ts";
import { jobsTexts } from "./texts.ts";

const PAGE = "/jobs";
const WARNING = { level: "warning", page: PAGE } as const;
const OVERDUE_ALERT_MS = 15 * 60_000;

export interface JobsCheckDeps {
  readonly counts: JobCounts;
  readonly getStorageError: () => string | undefined;
  /** Returns how long the first due job has been waiting, in milliseconds. */
  readonly getOverdueMs: () => Promise<number>;
}

/** Creates the check that jobs run, with findings for dead jobs. */
export function createJobsCheck({ counts, getStorageError, getOverdueMs }: JobsCheckDeps): Check {
  return {
    id: "jobs",
    async run() {
      const reason = getStorageError();
      const late = reason === undefined ? await getOverdueMs() : 0;
      const deadCount = [...counts.all().values()].reduce((sum, { dead }) => sum + dead, 0);
      return [
        ...(reason === undefined ? [] : [toStorageFinding(reason)]),
        ...(late > OVERDUE_ALERT_MS ? [toOverdueFinding(Math.floor(late / 60_000))] : []),
        ...(deadCount > 0 ? [toDeadFinding(deadCount)] : []),
      ];
    },
    atRest: OFFLINE_CHECK,
  };
}

function toStorageFinding(reason: string): Finding {
  return {
    key: "jobs.stuck",
    level: "problem",
    said: jobsTexts.localized("finding_stuck", { reason }),
    advice: jobsTexts.localized("finding_stuck_advice"),
    parameters: { reason },
    page: PAGE,
  };
}

function toOverdueFinding(minutes: number): Finding {
  return {
    key: "jobs.waiting",
    said: jobsTexts.localized("finding_waiting", { minutes }),
    advice: jobsTexts.localized("finding_waiting_advice"),
    parameters: { minutes },
    ...WARNING,
  };
}

function toDeadFinding(count: number): Finding {
  return {
    key: "jobs.dead",
    said: jobsTexts.localized("finding_dead", { count }),
    advice: jobsTexts.localized("finding_dead_advice"),
    parameters: { count },
    ...WARNING,
  };
}

interface Count {
  readonly count: number;
  readonly first_ms: number | null;
}

const OFFLINE_CHECK: CheckAtRest = {
  tables: ["jobs"],
  examine(read, now) {
    const [given] = read<Count>("select count(*) as count, null as first_ms from jobs where state = 'dead'");
    const [late] = read<Count>(
      "select count(*) as count, min(due_ms) as first_ms from jobs where state in ('later', 'waiting', 'running') and due_ms < ?",
      now - OVERDUE_ALERT_MS,
    );
    return [
      ...(late?.count ? [toOfflineOverdueFinding(late.count, new Date(late.first_ms ?? now).toISOString())] : []),
      ...(given?.count ? [toDeadFinding(given.count)] : []),
    ];
  },
};

function toOfflineOverdueFinding(count: number, since: string): Finding {
  return {
    key: "jobs.overdue",
    said: jobsTexts.localized("finding_overdue", { count, since }),
    advice: jobsTexts.localized("finding_overdue_advice"),
    parameters: { count, since },
    ...WARNING,
  };
}
