/** The gateway's confirmation that a message is stored and will be processed. */
export interface Accepted {
  readonly traceId: string;
  /** `qi_…`, the queue item. */
  readonly itemId: string;
  /** True for a copy of an earlier message: the ids are those of the first one, and nothing runs again. */
  readonly duplicated: boolean;
  /** False when the message is recorded but not run (not addressed, an edit, a recall). */
  readonly queued: boolean;
  readonly queueSize: number;
}

/** A conversation's change of its platform id. */
export interface ConversationMove {
  readonly channelId: string;
  /** The platform's ids. */
  readonly from: string;
  readonly to: string;
  /** The session of the conversation under its old id. */
  readonly sessionId: string;
}
