import { AppError } from "../errors.ts";
import type { TurnStage } from "../points/turn/turn-stage.ts";
import { TURN_PHASES } from "../turn-phases.ts";

/** Sorts stages by phase, then by `after`, else in the given order. Throws `conflict` naming the stages of a cycle. */
export function orderStages(stages: readonly TurnStage[]): readonly TurnStage[] {
  return TURN_PHASES.flatMap((phase) => sortByDependencies(stages.filter((stage) => stage.phase === phase)));
}

function sortByDependencies(stages: readonly TurnStage[]): readonly TurnStage[] {
  const known = new Set(stages.map(({ id }) => id));
  const done = new Set<string>();
  const result: TurnStage[] = [];
  let left = stages;
  while (left.length > 0) {
    const next = left.find(({ after = [] }) => after.every((id) => done.has(id) || !known.has(id)));
    if (!next) {
      const names = left.map(({ id, after = [] }) => `${id} (after ${after.join(", ")})`);
      throw new AppError("conflict", `stages wait for each other: ${names.join("; ")}`);
    }
    result.push(next);
    done.add(next.id);
    left = left.filter((stage) => stage !== next);
  }
  return result;
}
