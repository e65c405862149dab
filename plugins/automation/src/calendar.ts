import { type Planned, type Planner, timingOf } from "./planner.ts";
import { kindOfId } from "./starter.ts";
import type { RunKind } from "./tables.ts";

const MOST_TIMES = 50;

export interface PlannedTimes {
  readonly id: string;
  readonly kind: RunKind;
  readonly name: string;
  readonly times: readonly string[];
  /** True: there are more of them than are told. */
  readonly more: boolean;
}

/** The planned times of records until an instant. */
export async function comingUntil(
  records: readonly { readonly name: string; readonly plan: Planned }[],
  planner: Planner,
  untilMs: number,
): Promise<readonly PlannedTimes[]> {
  const schedules = await planner.of(records.map(({ plan }) => plan.id));
  return records.flatMap(({ name, plan }) => {
    const next = schedules.get(plan.id)?.next_run;
    const nextMs = next ? Date.parse(next) : Number.POSITIVE_INFINITY;
    if (nextMs > untilMs) return [];
    const times = timesOf(plan, planner, nextMs).filter((ms) => ms <= untilMs);
    const shown = times.map((ms) => new Date(ms).toISOString());
    return [{ id: plan.id, kind: kindOfId(plan.id), name, times: shown, more: times.length === MOST_TIMES }];
  });
}

function timesOf(plan: Planned, planner: Planner, nextMs: number): readonly number[] {
  const timing = timingOf(plan);
  if (timing?.cron !== undefined) return planner.preview(plan, MOST_TIMES);
  const { everyMs } = timing ?? {};
  if (everyMs === undefined) return [nextMs];
  return Array.from({ length: MOST_TIMES }, (_, index) => nextMs + index * everyMs);
}
