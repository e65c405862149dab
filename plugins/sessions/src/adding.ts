import { type Message, newId, type Session } from "@parley/core";
import { keepAttached } from "./attached.ts";
import { judged, tellBlocked } from "./judging.ts";
import { type Appended, again } from "./message-store.ts";
import { now, refuseArchived, refuseRunning, type SessionParts, tellMessage } from "./parts.ts";
import { newMessage } from "./rows.ts";
import { idOfTemp } from "./said-once.ts";
import type { MessageDraft } from "./schemas/messages.ts";
import { refuseNothing } from "./turn-stages.ts";

/** What came of a message that was to be stored; no message where the filter blocked it. */
export interface Stored {
  readonly message: Message | null;
  readonly filtered: boolean;
  readonly blocked: boolean;
  readonly rule_ids: readonly string[];
}

interface Added {
  readonly stored: Stored;
  /** False: it was stored under the same `temp_id` before, and is given as it is now. */
  readonly isNew: boolean;
}

/** Puts a message at the end of its session, or gives the one that was stored under its id before. */
export type Append = (message: Message) => Promise<Appended>;

/** Stores a message that no turn made; one of each `temp_id` of a session, for as long as it is there. */
export type Adding = (idOrKey: string, draft: MessageDraft, append?: Append) => Promise<Added>;

export function createAdding(parts: SessionParts): Adding {
  const { sessions, messages, database } = parts;
  const known = async (id: string) => (await messages.byIds([id]))[0];
  /** Puts it in before what stands at that place. */
  const put = (message: Message, index: number): Promise<Appended> =>
    again(async () => {
      // Somebody else was faster with the same id.
      const there = message.temp_id === null ? undefined : await known(message.id);
      if (there) return { message: there, isNew: false };
      const { seq, writes } = await messages.seqAt(message.session_id, index);
      const placed = { ...message, seq };
      const inserts = messages.inserts([placed], "live");
      await database().write([...writes, ...inserts, ...messages.recount(message.session_id)]);
      return { message: placed, isNew: true };
    });
  const repeated = async (session: Session, message: Message, { role, content }: MessageDraft): Promise<Added> => {
    const { filtered } = message;
    const rule_ids = filtered
      ? (await judged(parts, session, role, content, message.attachments.length > 0)).rules
      : [];
    return { stored: { message, filtered, blocked: false, rule_ids }, isNew: false };
  };
  return async (idOrKey, draft, append) => {
    const session = await sessions.get(idOrKey);
    const { insert_index, deliver: _deliver, temp_id, ...given } = draft;
    // Of two that come at once the second finds the place of this id taken.
    const id = temp_id === undefined ? newId("msg", parts.clock.now()) : idOfTemp(session.id, temp_id);
    const earlier = temp_id === undefined ? undefined : await known(id);
    if (earlier) return repeated(session, earlier, draft);
    refuseArchived(session);
    refuseNothing(draft.content, draft.attachments);
    const attachments = await keepAttached(parts, session.id, draft.attachments);
    if (insert_index !== undefined) refuseRunning(parts, session);
    if (draft.reply_to !== undefined) await messages.find(session.id, draft.reply_to);
    const seen = await judged(parts, session, draft.role, draft.content, draft.attachments.length > 0);
    const found = { filtered: seen.filtered, blocked: seen.blocked, rule_ids: seen.rules };
    if (seen.blocked) {
      tellBlocked(parts, session, draft.role, seen.rules, temp_id ?? null);
      return { stored: { message: null, ...found }, isNew: true };
    }
    const made = newMessage({
      ...given,
      attachments,
      id,
      session_id: session.id,
      temp_id: temp_id ?? null,
      content: seen.text,
      filtered: seen.filtered,
      filter_rule_count: seen.rules.length,
      source: "api",
      timestamp: draft.timestamp === undefined ? now(parts) : new Date(draft.timestamp).toISOString(),
    });
    const { message, isNew } = await (insert_index === undefined
      ? (append?.(made) ?? messages.append(made, session.channel_id))
      : put(made, insert_index));
    if (!isNew) return repeated(session, message, draft);
    tellMessage(parts, "new_message", message);
    return { stored: { message, ...found }, isNew };
  };
}
