import type { ReplyResult, Turn, TurnPhase, TurnResult } from "@parley/core";

/** Collects the result of a turn during its phases. */
export interface TurnResultRecorder {
  /** Called after the last stage of a phase. */
  onPhaseDone(phase: TurnPhase, turn: Turn): void;
  /** Called when the turn ended early, so that the remaining phases do not run. */
  onStopped(turn: Turn): void;
  onFailed(error: TurnResult["error"]): void;
  getResult(): Omit<TurnResult, "deliveries">;
}

export function createTurnResultRecorder(): TurnResultRecorder {
  let screened: Turn | undefined;
  let prompted: Turn | undefined;
  let checked: Turn | undefined;
  let decorated: Turn | undefined;
  let error: TurnResult["error"] = null;
  return {
    // Turns are immutable, so a reference to one is stored and the result is built only when it is needed.
    onPhaseDone(phase, turn) {
      if (phase === "screen") screened = turn;
      if (phase === "context") prompted = turn;
      if (phase === "screen-reply") checked = turn;
      if (phase === "decorate") decorated = turn;
    },
    onStopped(turn) {
      screened ??= turn;
    },
    onFailed(failure) {
      error = failure;
    },
    getResult: () => ({
      screen: {
        text: screened?.text ?? "",
        filtered: screened?.filter.filtered ?? false,
        blocked: screened?.filter.blocked ?? false,
        rules: screened?.filter.rules ?? [],
      },
      prompt: prompted?.prompt.map(({ key, text }) => ({ key, text })) ?? [],
      screenReply: checked?.replies.map(toReplyResult) ?? [],
      decorate: decorated?.replies.map(toReplyResult) ?? [],
      error,
    }),
  };
}

function toReplyResult({ kind, sender = "", text, attachments }: Turn["replies"][number]): ReplyResult {
  return { kind, sender, text, attachments };
}
