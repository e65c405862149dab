import type { Measurement, Probe } from "@parley/core";
import type { JobCounts, KindCounts } from "./job-counts.ts";

/** What jobs say of themselves at health and `/metrics`. */
export function jobsProbe(counts: JobCounts, trouble: () => string | undefined): Probe {
  const total = (field: keyof KindCounts) => [...counts.all().values()].reduce((sum, kind) => sum + kind[field], 0);
  return {
    id: "jobs",
    async health() {
      const why = trouble();
      if (why !== undefined) return { status: "degraded", detail: `jobs do not run: ${why}` };
      return { status: "ok", detail: `${total("waiting")} wait, ${total("running")} run, ${total("dead")} are dead` };
    },
    async measure() {
      return [
        byKind("parley_jobs_waiting", "Jobs that wait for their time or for a place.", "waiting"),
        byKind("parley_jobs_running", "Jobs under way.", "running"),
        byKind("parley_jobs_dead", "Jobs that were given up and wait for a person.", "dead"),
      ];
    },
  };

  function byKind(name: string, help: string, field: keyof KindCounts): Measurement {
    const samples = [...counts.all()].map(([kind, count]) => ({ labels: { kind }, value: count[field] }));
    return { name, help, kind: "gauge", samples };
  }
}
