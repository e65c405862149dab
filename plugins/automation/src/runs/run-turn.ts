import { type ErrorCode, type Gateway, HTTP_STATUS, type Sessions, type TurnOutcome, type Usage } from "@parley/core";
import { getSpeakOrder } from "../authorship.ts";
import { recreateError } from "../stored-failures.ts";
import { isSuspended } from "./ledger.ts";
import type { RunContext } from "./run-job.ts";

export interface RunTurnDeps {
  readonly sessions: () => Sessions;
  readonly gateway: () => Gateway;
}

/** An instruction that the service gives the AI in a conversation. */
export interface Instruction {
  readonly sessionId: string;
  readonly text: string;
  readonly source: "task_center" | "heartbeat";
  readonly name: string;
}

/** Outcome of a turn. */
export interface TurnAnswer {
  readonly text: string;
  readonly state: TurnOutcome["state"];
  readonly notice: string;
}

/**
 * Sends the instruction as a message of the conversation: in order, answered by its character, sent to its platform.
 * The run's id deduplicates it, so that a continued run waits for the same turn.
 */
export async function askAsTurn(
  { sessions, gateway }: RunTurnDeps,
  run: RunContext,
  instruction: Instruction,
): Promise<TurnAnswer> {
  const { row, ledger, signal } = run;
  const { sessionId, text, source, name } = instruction;
  const step = {
    key: "turn",
    name: "conversation",
    action: "turn",
    input: { session: sessionId, content: text },
    isRisky: false,
  };
  return ledger.once<TurnAnswer>(step, async () => {
    const { traceId } = await sessions().chat(sessionId, {
      content: text,
      attachments: [],
      sender: { id: row.owner_id, name, isAdmin: false, isProgram: true },
      tempId: row.run_id,
      source,
      deliver: true,
      order: getSpeakOrder(run),
      isHidden: true,
    });
    const stop = () => {
      // If the service stops, the turn continues at the next start, where the run finds it.
      if (!isSuspended(signal))
        gateway()
          .stop(sessionId, traceId)
          .catch(() => undefined);
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      const outcome = await gateway().outcome(traceId, signal);
      signal.throwIfAborted();
      return { output: toTurnAnswer(outcome), usage: outcome.usage ? toUsage(outcome.usage) : undefined };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  });
}

function toTurnAnswer({ state, replies, error, notice }: TurnOutcome): TurnAnswer {
  if (state === "failed" && error) {
    throw recreateError(error.code in HTTP_STATUS ? (error.code as ErrorCode) : "internal", error);
  }
  const text = replies.map(({ content }) => content).join("\n\n");
  return { text, state, notice };
}

function toUsage({ input_tokens, output_tokens, total_tokens, cost }: Usage): Usage {
  return { input_tokens, output_tokens, total_tokens, cost };
}
