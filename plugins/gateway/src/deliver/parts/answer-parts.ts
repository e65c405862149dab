import type { InboundMessage, Reply, Session } from "@parley/core";
import { type MarkdownPart, splitSentences } from "@parley/core/markdown";
import type { Delivery } from "../../store/delivery.ts";

/** Maximum number of messages as which an answer is sent, with its attachments. Some platforms take no more replies. */
const MAX_PARTS = 5;
/** Pause before a part: as long as a person needs to write it, within limits. */
const MIN_PAUSE_MS = 600;
const PAUSE_PER_CHAR_MS = 40;
const MAX_PAUSE_MS = 6_000;

export interface AnswerPartsOptions {
  readonly session: Pick<Session, "reply_style">;
  readonly reply: Pick<Reply, "kind" | "attachments">;
  /** True when the answer is or was shown while it was written, or the channel sends answers in one piece. */
  readonly isWhole: boolean;
  /** Splits a text as the platform requires. */
  readonly split: (text: string) => readonly string[];
}

/** Splits an answer as a person would write it; undefined when it is sent as one message, or as the platform requires. */
export function splitAnswer(
  text: string,
  { session, reply, isWhole, split }: AnswerPartsOptions,
): readonly MarkdownPart[] | undefined {
  if (session.reply_style !== "sentences" || reply.kind !== "normal" || isWhole) return undefined;
  const parts = splitSentences(text, MAX_PARTS - reply.attachments.length);
  const canBeSent = parts.length > 1 && parts.every((part) => split(part.text).length === 1);
  return canBeSent ? parts : undefined;
}

interface SpacingOptions {
  readonly parts: readonly MarkdownPart[];
  readonly textLength: number;
  readonly answerId: string;
  readonly inbound: Pick<InboundMessage, "conversation" | "sender">;
}

/**
 * Sets the pauses before all deliveries of an answer but the first, which stop when the person writes again: in a
 * group that person, in private anybody. Attachments follow the texts.
 */
export function addPauses(deliveries: readonly Delivery[], options: SpacingOptions): readonly Delivery[] {
  const { parts, textLength, answerId, inbound } = options;
  const stoppedBy = inbound.conversation.isGroup ? inbound.sender.id : "";
  let dueMs = deliveries[0]?.nextMs ?? 0;
  return deliveries.map((delivery, at) => {
    if (at === 0) return delivery;
    dueMs += getPauseMs(delivery);
    return { ...delivery, nextMs: dueMs, laterPart: { answerId, stoppedBy, from: parts[at]?.from ?? textLength } };
  });
}

export function getPauseMs({ message }: Pick<Delivery, "message">): number {
  return Math.min(MIN_PAUSE_MS + PAUSE_PER_CHAR_MS * message.text.length, MAX_PAUSE_MS);
}
