import type { InboundMessage } from "@parley/core";
import { describeMention, isVisible } from "@parley/core/channels";

/** Returns true for a message without visible content, such as zero-width characters, which needs no answer. A mention does. */
export function isBlank({ kind, text, conversation, ...message }: InboundMessage): boolean {
  const { attachments, quoted, unreadable, addressed } = message;
  const isMention = conversation.isGroup && addressed;
  const isOther = attachments.length > 0 || quoted !== undefined || unreadable !== undefined || isMention;
  return kind === "message" && text !== "" && !isOther && !isVisible(text);
}

/** Completes a message's text: appends the quote, and describes a bare mention. */
export function completeText({ quoted = "", ...message }: InboundMessage): InboundMessage {
  const { kind, text, attachments, addressed, sender, unreadable, conversation } = message;
  if (kind !== "message" && kind !== "edit") return message;
  if (unreadable !== undefined && text === "") return { ...message, text: `[unsupported: ${unreadable}]` };
  // A private message is always addressed: an edit that leaves no text there is not a mention.
  const isMention = addressed && (kind === "message" || conversation.isGroup);
  const isBare = !isVisible(text) && attachments.length === 0 && isMention;
  const ownText = isBare ? describeMention(sender.name) : text;
  // A command must not be followed by the quoted text.
  const parts = ownText.startsWith("/") ? [ownText] : [ownText, quoted];
  return {
    ...message,
    text: parts
      .filter((part) => part !== "")
      .join("\n")
      .toWellFormed(),
  };
}
