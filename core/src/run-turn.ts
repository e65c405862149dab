import { TURN_PHASES, type Turn, type TurnContext, type TurnPhase, type TurnStage } from "./points/turn-stage.ts";

export interface RunTurnOptions {
  /** In the order they run (`orderStages`). */
  readonly stages: readonly TurnStage[];
  readonly context: TurnContext;
  /** The first phase to run; earlier ones were done by an earlier run of the same turn. Default: the first of all. */
  readonly from?: TurnPhase;
  /** Called after the last stage of each phase, before the next phase begins. */
  readonly onPhase?: (phase: TurnPhase, turn: Turn) => Promise<void> | undefined;
}

/** Runs every stage in phase order. A turn that is `stopped` skips what is left. Throws what a stage throws. */
export async function runTurn(start: Turn, { stages, context, from, onPhase }: RunTurnOptions): Promise<Turn> {
  let turn = start;
  const first = from ? TURN_PHASES.indexOf(from) : 0;
  for (const phase of TURN_PHASES.slice(first)) {
    for (const stage of stages) {
      if (stage.phase !== phase) continue;
      turn = await stage.run(turn, context);
      if (turn.stopped) return turn;
    }
    const noted = onPhase?.(phase, turn);
    if (noted) await noted;
  }
  return turn;
}
