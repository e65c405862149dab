import type { SpokenLine } from "../spoken-line.ts";

/** A group message with what is known of its surroundings. */
export interface ReceivedMessage {
  readonly line: SpokenLine;
  /** Earlier messages, oldest first. */
  readonly before: readonly SpokenLine[];
  /** Names by which people call the bot. */
  readonly names: readonly string[];
}
