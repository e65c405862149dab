import type { Message, Sessions, UnsaidParts } from "@parley/core";
import { publishMessage, type SessionDeps } from "../session-deps.ts";
import { retryOnConflict } from "../store/message-store.ts";

/** Removes from a stored answer what was not sent, because the person wrote again. */
export function createRecordUnsaid(deps: SessionDeps): Sessions["recordUnsaid"] {
  const { messages, database } = deps;
  return async ({ sessionId, messageId, parts }, together) => {
    const changed = await retryOnConflict(async () => {
      const [message] = await messages.byIds([messageId]);
      const next = message?.session_id === sessionId ? removeUnsaid(message, parts) : undefined;
      if (next) await messages.replace(next, [...messages.recountWrites(sessionId), ...together]);
      else await database().write(together);
      return next;
    });
    if (changed) publishMessage(deps, "message_updated", changed);
  };
}

/** Returns the answer as far as it was said; undefined when nothing of it is unsaid any more. */
function removeUnsaid(message: Message, parts: UnsaidParts["parts"]): Message | undefined {
  const { content, attachments, metadata } = message;
  const [first] = parts;
  if (!first) return undefined;
  // Somebody may have edited the answer meanwhile; then its text stays.
  const isUnchanged = content.startsWith(first.text, first.from);
  const rest = isUnchanged ? content.slice(first.from) : parts.map(({ text }) => text).join("\n\n");
  const unsentUrls = new Set(parts.flatMap((part) => part.attachments.map(({ url }) => url)));
  const sent = attachments.filter(({ url }) => !unsentUrls.has(url));
  const unsent = attachments.filter(({ url }) => unsentUrls.has(url));
  if (rest.trim() === "" && unsent.length === 0) return undefined;
  const files = unsent.map(({ type, name }) => (name ? `[${type}: ${name}]` : `[${type}]`));
  return {
    ...message,
    content: isUnchanged ? content.slice(0, first.from).trimEnd() : content,
    attachments: sent,
    metadata: { ...metadata, unsaid: [rest.trim(), ...files].filter((line) => line !== "").join("\n") },
    revision: message.revision + 1,
  };
}
