import { AppError, type Attachment, type Message } from "@parley/core";
import { publishMessage, type SessionDeps } from "../session-deps.ts";

const MAX_ATTEMPTS = 5;

interface MessageRef {
  readonly sessionId: string;
  readonly messageId: string;
}

/** Adds an attachment to a stored message unless the message has it already. */
export function attachToMessage(
  deps: SessionDeps,
  { attachment, ...ref }: MessageRef & { readonly attachment: Attachment },
): Promise<Message | undefined> {
  return updateMessage(deps, ref, (message) => {
    const isAttached = message.attachments.some(({ type, url }) => type === attachment.type && url === attachment.url);
    return isAttached ? message : { ...message, attachments: [...message.attachments, attachment] };
  });
}

export function setAudioUrl(
  deps: SessionDeps,
  { audioUrl, ...ref }: MessageRef & { readonly audioUrl: string },
): Promise<Message | undefined> {
  return updateMessage(deps, ref, (message) =>
    message.audio_url === audioUrl ? message : { ...message, audio_url: audioUrl },
  );
}

/** Updates a stored message with results that came later, and preserves concurrent changes. */
async function updateMessage(
  deps: SessionDeps,
  { sessionId, messageId }: MessageRef,
  change: (message: Message) => Message,
): Promise<Message | undefined> {
  const { messages } = deps;
  for (let attempt = 1; ; attempt += 1) {
    const [message] = await messages.byIds([messageId]);
    if (message?.session_id !== sessionId) return undefined;
    const changed = change(message);
    if (changed === message) return message;
    const next: Message = { ...changed, revision: message.revision + 1 };
    try {
      await messages.replace(next);
    } catch (error) {
      if (!AppError.is(error) || error.code !== "conflict" || attempt >= MAX_ATTEMPTS) throw error;
      continue;
    }
    publishMessage(deps, "message_updated", next);
    return next;
  }
}
