import type { Turn, TurnOutcome } from "@parley/core";
import { FILTER_NOTICE } from "@parley/core";

/** Builds the outcome of a turn for callers that wait for it. */
export function toTurnOutcome(turn: Turn, state: TurnOutcome["state"]): TurnOutcome {
  const last = turn.replies.at(-1);
  const usage = last?.usage ?? turn.usage;
  return {
    traceId: turn.traceId,
    state,
    userMessage: turn.userMessage ?? null,
    replies: turn.recorded ?? [],
    filtered: turn.filter.filtered,
    blocked: turn.filter.blocked,
    stopped: last?.cut === "user",
    ruleIds: turn.filter.rules,
    notice: turn.stopped?.notice ?? (turn.filter.blocked ? FILTER_NOTICE : ""),
    usage: usage ? { ...usage, model: last?.model ?? null, model_id: last?.modelId ?? null } : null,
    error: last?.error ?? null,
  };
}

export function createEmptyOutcome(
  traceId: string,
  state: TurnOutcome["state"],
  error: TurnOutcome["error"] = null,
): TurnOutcome {
  return {
    traceId,
    state,
    userMessage: null,
    replies: [],
    filtered: false,
    blocked: false,
    stopped: state === "stopped",
    ruleIds: [],
    notice: "",
    usage: null,
    error,
  };
}
