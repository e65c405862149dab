import { AppError, type Attachment, type Message } from "@parley/core";
import { type SessionParts, tellMessage } from "./parts.ts";

const TRIES = 5;

interface Attaching {
  readonly sessionId: string;
  readonly messageId: string;
  readonly attachment: Attachment;
}

/** Hangs something on a stored message, unless it hangs there. What people change meanwhile stays. */
export async function attach(
  parts: SessionParts,
  { sessionId, messageId, attachment }: Attaching,
): Promise<Message | undefined> {
  const { messages } = parts;
  for (let tried = 1; ; tried += 1) {
    const [message] = await messages.byIds([messageId]);
    if (message?.session_id !== sessionId) return undefined;
    const isThere = message.attachments.some(({ type, url }) => type === attachment.type && url === attachment.url);
    if (isThere) return message;
    const next: Message = {
      ...message,
      attachments: [...message.attachments, attachment],
      revision: message.revision + 1,
    };
    try {
      await messages.replace(next);
    } catch (error) {
      if (!AppError.is(error) || error.code !== "conflict" || tried >= TRIES) throw error;
      continue;
    }
    tellMessage(parts, "message_updated", next);
    return next;
  }
}
