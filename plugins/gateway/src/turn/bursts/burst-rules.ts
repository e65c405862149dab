import type { BurstMode, InboundMessage } from "@parley/core";
import type { QueueItem } from "../../store/inbox.ts";

/** A burst ends after this time since its first message. */
export const MAX_BURST_MS = 15_000;
/** A burst ends with this many messages. */
export const MAX_BURST_MESSAGES = 20;

/** A message that may be answered together with later ones. */
export interface BurstMessage {
  readonly item: QueueItem;
  readonly message: InboundMessage;
}

/** The burst of a message that is about to be answered. */
export interface BurstSoFar extends BurstMessage {
  readonly mode: BurstMode;
  /** Time after a message within which the next one belongs to the burst; only with mode `wait`. */
  readonly quietMs: number;
  /** Number of its messages, and the time of the first one on the monotonic clock. */
  readonly count: number;
  readonly firstMs: number;
}

/**
 * Returns true for messages of people that may be merged: new ones on a platform or in the console. A command, a
 * request by REST or MCP, an operator's private question and a question for several models are answered by themselves.
 */
export function canMerge(message: InboundMessage, isCommand: (text: string) => boolean): boolean {
  const { kind, addressed, source, channelId, isHidden, isOperatorOnly, modelIds, text } = message;
  const isFromPerson = source === channelId && !isHidden && !isOperatorOnly && modelIds === undefined;
  return kind === "message" && addressed && isFromPerson && !isCommand(text);
}

/** Returns true when the later message belongs to the burst: in private from the same sender, in a group from anybody. */
export function continuesBurst(burst: BurstSoFar, later: BurstMessage): boolean {
  const { item, message, mode, quietMs, count, firstMs } = burst;
  if (count >= MAX_BURST_MESSAGES || later.item.sinceMs - firstMs > MAX_BURST_MS) return false;
  if (mode === "wait" && later.item.sinceMs - item.sinceMs > quietMs) return false;
  return message.conversation.isGroup || later.message.sender.id === message.sender.id;
}
