import type { LocalizedError } from "../../errors.ts";

/** The gateway's confirmation that a message is stored and will be processed. */
export interface Accepted {
  readonly traceId: string;
  /** Id of the inbox message: `qi_…`. */
  readonly itemId: string;
  /** True for a copy of an earlier message: the ids are those of the first one, and no turn is started. */
  readonly duplicated: boolean;
  /** False when the message is recorded but starts no turn (not addressed, an edit, a recall). */
  readonly queued: boolean;
  readonly queueSize: number;
  /** Reason, in the sender's language, why a press has no effect. Nothing is stored then, and `itemId` is empty. */
  readonly refusal?: string;
  /** The refusal as an error, for callers that answer in the language of a request. */
  readonly refusalError?: LocalizedError;
}

/** A change of a conversation's platform id. */
export interface ConversationMove {
  readonly channelId: string;
  /** The platform's id before and after the change. */
  readonly from: string;
  readonly to: string;
  /** The session of the conversation under its old id. */
  readonly sessionId: string;
}
