import type { RequestedTool, Usage } from "@parley/core";

/** The reason an answer ended, as OpenAI's API names it. */
export type FinishReason = "stop" | "length" | "content_filter" | "tool_calls";

/** The complete answer. */
export interface AnswerEnd {
  readonly text: string;
  readonly finishReason: FinishReason;
  /** Notice of the filter, when it blocked the message. */
  readonly refusal: string | null;
  readonly toolCalls: readonly RequestedTool[];
  readonly usage: Usage | null;
}

/** An answer in progress. */
export interface RunningAnswer {
  /** The text in pieces, for one reader. */
  readonly pieces: AsyncIterable<string>;
  /** Rejects when there is no answer. */
  readonly end: Promise<AnswerEnd>;
  /** Ends the answer early, with the text so far. */
  stop(): void;
  /** The stored conversation; absent when nothing is stored. */
  readonly sessionId?: string;
}
