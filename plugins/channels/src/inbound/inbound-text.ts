import { type InboundMessage, isVisible, mentionInWords } from "@parley/core";

/** True for a message that shows nothing, such as one of characters without a width: nobody wants an answer to it. */
export function isBlank({ kind, text, attachments, quoted, unreadable }: InboundMessage): boolean {
  const isOther = attachments.length > 0 || quoted !== undefined || unreadable !== undefined;
  return kind === "message" && text !== "" && !isOther && !isVisible(text);
}

/** Completes a message's text: appends the quote, and describes a bare mention. */
export function completeText({ quoted = "", ...message }: InboundMessage): InboundMessage {
  const { kind, text, attachments, addressed, sender, unreadable } = message;
  if (kind !== "message" && kind !== "edit") return message;
  if (unreadable !== undefined && text === "") return { ...message, text: `[unsupported: ${unreadable}]` };
  const isBare = text === "" && attachments.length === 0 && addressed;
  const ownText = isBare ? mentionInWords(sender.name) : text;
  // The word of a command must not be followed by somebody else's.
  const parts = ownText.startsWith("/") ? [ownText] : [ownText, quoted];
  return {
    ...message,
    text: parts
      .filter((part) => part !== "")
      .join("\n")
      .toWellFormed(),
  };
}
