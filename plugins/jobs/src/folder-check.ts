import type { FolderCheck } from "@parley/core";

const LATE_MS = 15 * 60_000;

interface Count {
  readonly count: number;
  readonly first_ms?: number;
}

/** Jobs of a folder in which nothing runs: those that were given up, and those whose time is past. */
export const JOBS_CHECK: FolderCheck = {
  id: "jobs",
  tables: ["jobs"],
  examine(read, now) {
    const [dead] = read<Count>("select count(*) as count from jobs where state = 'dead'");
    const [late] = read<Count>(
      "select count(*) as count, min(due_ms) as first_ms from jobs where state in ('later', 'waiting', 'running') and due_ms < ?",
      now - LATE_MS,
    );
    const given = dead?.count ?? 0;
    const overdue = late?.count ?? 0;
    if (given + overdue === 0) return { level: "ok", said: "none is overdue, none was given up" };
    const since = overdue > 0 ? `, the first since ${new Date(late?.first_ms ?? now).toISOString()}` : "";
    return {
      level: "warning",
      said: `${overdue} overdue${since}; ${given} given up`,
      advice: "start the service: what is overdue runs then; console → Jobs shows what was given up, and why",
    };
  },
};
