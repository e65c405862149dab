import {
  type Clock,
  type Reply,
  type Turn,
  type TurnContext,
  type TurnPhase,
  tellApplied,
  writesOf,
} from "@parley/core";
import { traceDecoration } from "./decoration-trace.ts";
import type { FailPoint, FailPointName } from "./fail-point.ts";
import type { Draft } from "./store/turns.ts";
import type { GatewayStore } from "./store.ts";
import type { TurnEffects } from "./turn-effects.ts";
import type { TurnRun } from "./turn-runner.ts";
import type { FinishReason, TurnStream } from "./turn-stream.ts";
import type { TurnWatch } from "./turn-watch.ts";

/** An answer that took longer is kept: a turn run again does not ask for it twice. */
const DEAR_MS = 2_000;

/** How far a turn has come. */
export interface TurnProgress {
  began(turn: Turn): void;
  /** A phase is over. The promise: an answer that was dear to make is kept before the turn goes on. */
  reached(phase: TurnPhase, turn: Turn, context: TurnContext, stream: TurnStream): Promise<void> | undefined;
  /** A tool changed something: its answer is dear. */
  actedOnce(): void;
  stage(): TurnPhase;
  last(): Turn | undefined;
  /** An answer of it was kept. */
  hasDraft(): boolean;
  /** Milliseconds of each phase that is over and took some. */
  times(): Readonly<Record<string, number>>;
}

export interface ProgressParts {
  readonly store: Pick<GatewayStore, "saveDraft">;
  readonly failPoint: FailPoint;
  readonly clock: Pick<Clock, "monotonic">;
  readonly effects: TurnEffects;
  readonly watched: Pick<TurnWatch, "phase">;
  readonly run: TurnRun;
}

export function createTurnProgress(parts: ProgressParts): TurnProgress {
  const { failPoint, clock, effects, watched, run } = parts;
  let stage: TurnPhase = run.draft?.phase ?? "prepare";
  let last: Turn | undefined;
  let hasDraft = run.draft !== undefined;
  let isDear = false;
  let askedMs = 0;
  let phaseMs = clock.monotonic();
  const times: Partial<Record<TurnPhase, number>> = {};
  return {
    began(turn) {
      last = turn;
    },
    reached(phase, turn, context, stream) {
      watched.phase(phase, turn);
      if (phase === "decorate") traceDecoration(last, turn, context);
      const nowMs = clock.monotonic();
      const tookMs = Math.round(nowMs - phaseMs);
      if (tookMs > 0) times[phase] = tookMs;
      phaseMs = nowMs;
      stage = phase;
      last = turn;
      const place = REACHED[phase];
      if (place) failPoint(place);
      show(stream, phase, turn);
      effects.seen(turn);
      if (phase === "context") askedMs = nowMs;
      if (phase !== "answer" || turn.replies.length === 0) return undefined;
      if (!isDear && nowMs - askedMs <= DEAR_MS) return undefined;
      hasDraft = true;
      return keepDraft(parts, turn);
    },
    actedOnce() {
      isDear = true;
    },
    stage: () => stage,
    last: () => last,
    hasDraft: () => hasDraft,
    times: () => times,
  };
}

async function keepDraft({ store, failPoint, effects, run }: ProgressParts, turn: Turn): Promise<void> {
  const early = effects.takeEarly();
  const draft: Draft = { phase: "answer", turn: drafted(turn) };
  await store.saveDraft(run.itemId, run.traceId, run.fence, draft, writesOf(early));
  tellApplied(early, []);
  failPoint("draft-stored");
}

/** What a turn starts from is read again where it runs again. */
function drafted({
  inbound: _inbound,
  session: _session,
  history: _history,
  prompt: _prompt,
  ...turn
}: Turn): Draft["turn"] {
  return turn;
}

/** The answer is whole: after it was made, or, where a later stage may change it, after that. */
function show(stream: TurnStream, phase: TurnPhase, { replies, filter }: Turn): void {
  if (phase === "answer" && !stream.isGuarded) stream.end(finishOf(replies));
  if (phase !== "screen-reply") return;
  if (filter.blocked) stream.end("filtered");
  else if (stream.isGuarded) stream.end(finishOf(replies), replies.at(-1)?.text ?? "");
}

function finishOf(replies: readonly Reply[]): FinishReason {
  const cut = replies.at(-1)?.cut;
  if (cut === undefined) return "stop";
  return cut === "user" ? "stopped" : cut === "length" ? "length" : "error";
}

/** Names of the places a test may end the process at (gateway-delivery §13). */
const REACHED: Partial<Record<TurnPhase, FailPointName>> = {
  screen: "filtered",
  "record-user": "user-recorded",
  context: "model-start",
  answer: "model-done",
  "screen-reply": "reply-filtered",
  "record-reply": "reply-recorded",
};
