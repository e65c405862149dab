import type { Check, Finding } from "@parley/core";
import type { JobCounts } from "./job-counts.ts";

const PAGE = "/jobs";

/** Whether jobs run, and which were given up. */
export function jobsCheck(counts: JobCounts, trouble: () => string | undefined): Check {
  return {
    id: "jobs",
    async run() {
      const reason = trouble();
      const count = [...counts.all().values()].reduce((sum, { dead }) => sum + dead, 0);
      return [...(reason === undefined ? [] : [stuck(reason)]), ...(count > 0 ? [dead(count)] : [])];
    },
  };
}

function stuck(reason: string): Finding {
  return {
    key: "jobs.stuck",
    level: "problem",
    said: `jobs do not run: ${reason}`,
    advice: "look into the log; restart the service when it stays like that",
    parameters: { reason },
    page: PAGE,
  };
}

function dead(count: number): Finding {
  return {
    key: "jobs.dead",
    level: "warning",
    said: `${count} jobs were given up`,
    advice: "look at why on the page Jobs, and run them again or cancel them",
    parameters: { count },
    page: PAGE,
  };
}
