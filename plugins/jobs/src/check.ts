import type { Check, CheckAtRest, Finding } from "@parley/core";
import type { JobCounts } from "./store/job-counts.ts";

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
      const given = [...counts.all().values()].reduce((sum, { dead }) => sum + dead, 0);
      return [
        ...(reason === undefined ? [] : [toStorageFinding(reason)]),
        ...(late > OVERDUE_ALERT_MS ? [toOverdueFinding(Math.floor(late / 60_000))] : []),
        ...(given > 0 ? [dead(given)] : []),
      ];
    },
    atRest: OFFLINE_CHECK,
  };
}

function toStorageFinding(reason: string): Finding {
  return {
    key: "jobs.stuck",
    level: "problem",
    said: { en: `jobs do not run: ${reason}`, zh: `后台任务未运行：${reason}` },
    advice: {
      en: "check the log; restart the service if this does not change",
      zh: "请查看日志；若一直如此，请重启服务",
    },
    parameters: { reason },
    page: PAGE,
  };
}

function toOverdueFinding(minutes: number): Finding {
  return {
    key: "jobs.waiting",
    said: { en: `jobs wait, the first for ${minutes} min`, zh: `后台任务在等待，最早的已等 ${minutes} 分钟` },
    advice: { en: "see what takes so long on the Jobs page", zh: "请在“后台任务”页面查看哪些后台任务运行过久" },
    parameters: { minutes },
    ...WARNING,
  };
}

function dead(count: number): Finding {
  return {
    key: "jobs.dead",
    said: {
      en: count === 1 ? "1 job failed for good" : `${count} jobs failed for good`,
      zh: `${count} 个后台任务最终失败`,
    },
    advice: {
      en: "see the reason on the Jobs page, then run them again or dismiss them",
      zh: "请在“后台任务”页面查看原因，然后重新运行或忽略",
    },
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
      ...(given?.count ? [dead(given.count)] : []),
    ];
  },
};

function toOfflineOverdueFinding(count: number, since: string): Finding {
  return {
    key: "jobs.overdue",
    said: {
      en: count === 1 ? `1 job is overdue since ${since}` : `${count} jobs are overdue, the first since ${since}`,
      zh: `${count} 个后台任务已过期，最早的应于 ${since} 运行`,
    },
    advice: { en: "start the service: overdue jobs then run", zh: "请启动服务：过期的后台任务届时会运行" },
    parameters: { count, since },
    ...WARNING,
  };
}
