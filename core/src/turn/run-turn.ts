import { AppError } from "../errors.ts";
import type { Turn, TurnContext, TurnStage } from "../points/turn/turn-stage.ts";
import { TURN_PHASES, type TurnPhase } from "../turn-phases.ts";
import { isConcerned } from "./concern.ts";

/** Options of `runTurn`. */
export interface RunTurnOptions {
  /** Stages in running order (`orderStages`). */
  readonly stages: readonly TurnStage[];
  readonly context: TurnContext;
  /** First phase to run, because an earlier run of the turn completed the previous ones. Default: the first of all. */
  readonly from?: TurnPhase;
  /** Called after the last stage of each phase, before the next phase begins. */
  readonly onPhase?: (phase: TurnPhase, turn: Turn) => Promise<void> | undefined;
}

/** Runs every stage that the turn concerns, in phase order. A `stopped` turn skips the rest. Rethrows a stage's `AppError` unchanged, other errors with the stage's name. */
export async function runTurn(start: Turn, { stages, context, from, onPhase }: RunTurnOptions): Promise<Turn> {
  let turn = start;
  const first = from ? TURN_PHASES.indexOf(from) : 0;
  for (const phase of TURN_PHASES.slice(first)) {
    for (const stage of stages) {
      if (stage.phase !== phase) continue;
      if (!takesPart(stage, turn, context)) continue;
      turn = await runStage(stage, turn, context);
      if (turn.stopped) return turn;
    }
    const phaseWork = onPhase?.(phase, turn);
    if (phaseWork) await phaseWork;
  }
  return turn;
}

async function runStage(stage: TurnStage, before: Turn, context: TurnContext): Promise<Turn> {
  let after: Turn | undefined;
  try {
    after = await stage.run(before, context);
  } catch (cause) {
    throw toStageError(stage, cause, context);
  }
  if (isSameTurn(after, before)) return after;
  throw new Error(`${toLabel(stage)} gave no turn: it must return the turn it was given, or a changed copy`);
}

function takesPart(stage: TurnStage, turn: Turn, context: TurnContext): boolean {
  try {
    return isConcerned(stage, turn, context);
  } catch (cause) {
    throw toStageError(stage, cause, context);
  }
}

function toStageError(stage: TurnStage, cause: unknown, { signal }: TurnContext): unknown {
  if (AppError.is(cause) || signal.aborted) return cause;
  return new Error(`${toLabel(stage)} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

function toLabel({ id, phase }: TurnStage): string {
  return `stage '${id}' in phase ${phase}`;
}

// Checks the lists that later stages read, and the identity of the turn.
function isSameTurn(value: Turn | undefined, { traceId, session }: Turn): boolean {
  const { replies, history, prompt, attachments } = value ?? {};
  const isWhole = [replies, history, prompt, attachments].every((list) => Array.isArray(list));
  return isWhole && value?.traceId === traceId && value.session?.id === session.id && typeof value.text === "string";
}
