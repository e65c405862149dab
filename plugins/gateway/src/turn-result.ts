import type { ReplyResult, Turn, TurnPhase, TurnResult } from "@parley/core";

/** What a turn comes to, noted while it goes through its phases. */
export interface ResultNotes {
  /** After the last stage of a phase. */
  phase(phase: TurnPhase, turn: Turn): void;
  /** It ended early: the phases that are left did not run. */
  stopped(turn: Turn): void;
  failed(error: TurnResult["error"]): void;
  result(): Omit<TurnResult, "deliveries">;
}

export function createResultNotes(): ResultNotes {
  let screened: Turn | undefined;
  let prompted: Turn | undefined;
  let checked: Turn | undefined;
  let decorated: Turn | undefined;
  let error: TurnResult["error"] = null;
  return {
    // Turns are values: noting one costs nothing until somebody asks for the result.
    phase(phase, turn) {
      if (phase === "screen") screened = turn;
      if (phase === "context") prompted = turn;
      if (phase === "screen-reply") checked = turn;
      if (phase === "decorate") decorated = turn;
    },
    stopped(turn) {
      screened ??= turn;
    },
    failed(why) {
      error = why;
    },
    result: () => ({
      screen: {
        text: screened?.text ?? "",
        filtered: screened?.filter.filtered ?? false,
        blocked: screened?.filter.blocked ?? false,
        rules: screened?.filter.rules ?? [],
      },
      prompt: prompted?.prompt.map(({ key, text }) => ({ key, text })) ?? [],
      screenReply: checked?.replies.map(replyResult) ?? [],
      decorate: decorated?.replies.map(replyResult) ?? [],
      error,
    }),
  };
}

function replyResult({ kind, sender = "", text, attachments }: Turn["replies"][number]): ReplyResult {
  return { kind, sender, text, attachments };
}
