import { AppError, type Attachment, type Message } from "@parley/core";
import { type SessionParts, tellMessage } from "./parts.ts";

const TRIES = 5;

interface Place {
  readonly sessionId: string;
  readonly messageId: string;
}

/** Hangs something on a stored message, unless it hangs there. */
export function attach(
  parts: SessionParts,
  { attachment, ...place }: Place & { readonly attachment: Attachment },
): Promise<Message | undefined> {
  return completed(parts, place, (message) => {
    const isThere = message.attachments.some(({ type, url }) => type === attachment.type && url === attachment.url);
    return isThere ? message : { ...message, attachments: [...message.attachments, attachment] };
  });
}

/** Says where a stored message can be heard. */
export function giveVoice(
  parts: SessionParts,
  { audioUrl, ...place }: Place & { readonly audioUrl: string },
): Promise<Message | undefined> {
  return completed(parts, place, (message) =>
    message.audio_url === audioUrl ? message : { ...message, audio_url: audioUrl },
  );
}

/** A stored message with what came later. What people change meanwhile stays. */
async function completed(
  parts: SessionParts,
  { sessionId, messageId }: Place,
  change: (message: Message) => Message,
): Promise<Message | undefined> {
  const { messages } = parts;
  for (let tried = 1; ; tried += 1) {
    const [message] = await messages.byIds([messageId]);
    if (message?.session_id !== sessionId) return undefined;
    const changed = change(message);
    if (changed === message) return message;
    const next: Message = { ...changed, revision: message.revision + 1 };
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
