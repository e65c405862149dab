import {
  type Clock,
  collectWrites,
  notifyApplied,
  type Reply,
  type Turn,
  type TurnContext,
  type TurnPhase,
} from "@parley/core";
import type { FailPoint, FailPointName } from "../../fail-point.ts";
import { traceDecoration } from "../../observe/decoration-trace.ts";
import type { TurnObserver } from "../../observe/turn-observer.ts";
import type { GatewayStore } from "../../store/gateway-store.ts";
import type { Draft } from "../../store/turns.ts";
import type { TurnEffects } from "./turn-effects.ts";
import type { TurnRun } from "./turn-run.ts";
import type { FinishReason, TurnStream } from "./turn-stream.ts";

/** Duration from which a reply counts as expensive: its draft is stored, so that it is not generated again. */
const EXPENSIVE_MS = 2_000;

/** Tracks the progress of a turn. */
export interface TurnProgress {
  onStarted(turn: Turn): void;
  /** Called after each phase; the turn waits for the returned promise, which resolves when a draft is stored. */
  onPhaseDone(phase: TurnPhase, turn: Turn, context: TurnContext, stream: TurnStream): Promise<void> | undefined;
  /** Marks the reply as expensive, because a tool changed something. */
  markExpensive(): void;
  isExpensive(): boolean;
  stage(): TurnPhase;
  last(): Turn | undefined;
  /** True when a draft of the reply is stored. */
  hasDraft(): boolean;
  /** Returns the milliseconds of each completed phase, without phases that took no time. */
  getPhaseTimes(): Readonly<Record<string, number>>;
}

export interface TurnProgressDeps {
  readonly store: Pick<GatewayStore, "saveDraft">;
  readonly failPoint: FailPoint;
  readonly clock: Pick<Clock, "monotonic">;
  readonly effects: TurnEffects;
  readonly observer: Pick<TurnObserver, "onPhaseDone">;
  readonly run: TurnRun;
}

export function createTurnProgress(deps: TurnProgressDeps): TurnProgress {
  const { failPoint, clock, effects, observer, run } = deps;
  let stage: TurnPhase = run.draft?.phase ?? "prepare";
  let last: Turn | undefined;
  let hasDraft = run.draft !== undefined;
  let isExpensive = false;
  let contextDoneMs = 0;
  let phaseMs = clock.monotonic();
  const times: Partial<Record<TurnPhase, number>> = {};
  return {
    onStarted(turn) {
      last = turn;
    },
    onPhaseDone(phase, turn, context, stream) {
      observer.onPhaseDone(phase, turn);
      if (phase === "decorate") traceDecoration(last, turn, context);
      const nowMs = clock.monotonic();
      const tookMs = Math.round(nowMs - phaseMs);
      if (tookMs > 0) times[phase] = tookMs;
      phaseMs = nowMs;
      stage = phase;
      last = turn;
      const failPointName = FAIL_POINTS_BY_PHASE[phase];
      if (failPointName) failPoint(failPointName);
      updateStream(stream, phase, turn);
      effects.collect(turn);
      if (phase === "context") contextDoneMs = nowMs;
      if (phase !== "answer" || turn.replies.length === 0) return undefined;
      if (!isExpensive && nowMs - contextDoneMs <= EXPENSIVE_MS) return undefined;
      hasDraft = true;
      return saveDraft(deps, turn);
    },
    markExpensive() {
      isExpensive = true;
    },
    isExpensive: () => isExpensive,
    stage: () => stage,
    last: () => last,
    hasDraft: () => hasDraft,
    getPhaseTimes: () => times,
  };
}

async function saveDraft({ store, failPoint, effects, run }: TurnProgressDeps, turn: Turn): Promise<void> {
  // A turn that goes on from its draft does not ask the model again, so its usage is stored with the draft.
  const early = [...effects.takeEarly(), ...effects.takeRecorded()];
  const draft: Draft = { phase: "answer", turn: toDraftTurn(turn) };
  await store.saveDraft(run.itemId, run.traceId, run.fence, draft, collectWrites(early));
  notifyApplied(early, []);
  failPoint("draft-stored");
}

/** Removes the inputs of the turn. A repeated turn reads them again. */
function toDraftTurn({
  inbound: _inbound,
  session: _session,
  history: _history,
  prompt: _prompt,
  ...turn
}: Turn): Draft["turn"] {
  return turn;
}

/** Ends the stream when the text is final: after generation, or after screening if that may change the text. */
function updateStream(stream: TurnStream, phase: TurnPhase, { replies, filter }: Turn): void {
  if (phase === "answer" && !stream.isGuarded) stream.end(getFinishReason(replies));
  if (phase !== "screen-reply") return;
  if (filter.blocked) stream.end("filtered");
  else if (stream.isGuarded) stream.end(getFinishReason(replies), replies.at(-1)?.text ?? "");
}

function getFinishReason(replies: readonly Reply[]): FinishReason {
  const cut = replies.at(-1)?.cut;
  if (cut === undefined) return "stop";
  return cut === "user" ? "stopped" : cut === "length" ? "length" : "error";
}

/** Fail points by phase, at which a test may kill the process. */
const FAIL_POINTS_BY_PHASE: Partial<Record<TurnPhase, FailPointName>> = {
  screen: "filtered",
  "record-user": "user-recorded",
  context: "model-start",
  answer: "model-done",
  "screen-reply": "reply-filtered",
  "record-reply": "reply-recorded",
};
