import type { Turn, TurnContext, TurnPhase } from "@parley/core";
import type { Recordings } from "./recording.ts";
import { createTurnSpans, type Spans } from "./turn-spans.ts";

/** Looks on while a turn runs: what it got from outside is kept, what takes time is measured. */
export interface TurnWatch extends Pick<TurnContext, "external" | "once"> {
  began(turn: Turn): void;
  phase(phase: TurnPhase, turn: Turn): void;
  ended(turn: Turn): void;
  failed(error: unknown): void;
}

export interface WatchedRun {
  readonly traceId: string;
  readonly fence: number;
  /** The phase it begins with; later than the first one where it goes on after a crash. */
  readonly from: TurnPhase;
}

export type WatchTurn = (run: WatchedRun) => TurnWatch;

export function createTurnWatch(recordings: Recordings, spans: Spans | undefined): WatchTurn {
  return ({ traceId, fence, from }) => {
    const recorder = recordings.begin(traceId, from !== "prepare");
    const times = spans && createTurnSpans(spans, traceId, fence, from);
    return {
      began: (turn) => recorder?.began(turn),
      phase(phase, turn) {
        recorder?.phase(phase, turn);
        times?.phase(phase);
      },
      ended(turn) {
        if (turn.stopped) recorder?.stopped(turn);
        times?.ended(turn);
      },
      failed(error) {
        recorder?.failed(error);
        times?.failed(error);
      },
      once: (key, run) => (recorder ? recorder.once(key, run) : run()),
      async external(call) {
        const span = times?.ask(call.kind, call.name);
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
