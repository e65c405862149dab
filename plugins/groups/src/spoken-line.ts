/** One message of a group as the bot received it. */
export interface SpokenLine {
  readonly senderId: string;
  readonly sender: string;
  readonly text: string;
  readonly atMs: number;
  /** True for an answer of the bot itself. */
  readonly isOwn: boolean;
  /** True for another bot of the platform. */
  readonly isBot: boolean;
  /** Sender of the message that an answer of the bot replies to. */
  readonly answersId?: string;
  /** True when it replies to a message of somebody else. */
  readonly repliesToOther?: boolean;
}
