import type { Turn, TurnContext, TurnPhase } from "@parley/core";
import type { TurnRecordings } from "./replay/turn-recordings.ts";
import { createTurnSpans, type Tracer } from "./turn-spans.ts";

/** Observes a running turn: records the results of external calls and measures durations. */
export interface TurnObserver extends Pick<TurnContext, "external" | "once"> {
  onStarted(turn: Turn): void;
  onPhaseDone(phase: TurnPhase, turn: Turn): void;
  onEnded(turn: Turn): void;
  onFailed(error: unknown): void;
}

export interface ObservedRun {
  readonly traceId: string;
  readonly fence: number;
  /** The first phase of the run: a later one than `prepare` after a crash. */
  readonly from: TurnPhase;
}

export type ObserveTurn = (run: ObservedRun) => TurnObserver;

export function createTurnObserver(recordings: TurnRecordings, tracer: Tracer | undefined): ObserveTurn {
  return ({ traceId, fence, from }) => {
    const recorder = recordings.begin(traceId, from !== "prepare");
    const turnSpans = tracer && createTurnSpans(tracer, traceId, fence, from);
    return {
      onStarted: (turn) => recorder?.onStarted(turn),
      onPhaseDone(phase, turn) {
        recorder?.onPhaseDone(phase, turn);
        turnSpans?.onPhaseDone(phase);
      },
      onEnded(turn) {
        if (turn.stopped) recorder?.onStopped(turn);
        turnSpans?.onEnded(turn);
      },
      onFailed(error) {
        recorder?.onFailed(error);
        turnSpans?.onFailed(error);
      },
      once: (key, run) => (recorder ? recorder.once(key, run) : run()),
      async external(call) {
        const span = turnSpans?.startCall(call.kind, call.name);
        try {
          const answer = await (recorder ? recorder.external(call) : call.ask());
          span?.end(call.figures?.(answer));
          return answer;
        } catch (error) {
          span?.end({}, error);
          throw error;
        }
      },
    };
  };
}
