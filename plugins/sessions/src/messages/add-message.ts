import { type Message, newId, type Session } from "@parley/core";
import type { MessageDraft } from "../schemas/messages.ts";
import { assertNotArchived, assertNotRunning, now, publishMessage, type SessionDeps } from "../session-deps.ts";
import { type AppendResult, retryOnConflict } from "../store/message-store.ts";
import { newMessage } from "../store/rows.ts";
import { assertHasContent } from "../turns/turn-stages.ts";
import { toMessageIdOfTempId } from "../turns/user-message-id.ts";
import { retainAttachments } from "./attachments.ts";
import { filterMessage, publishBlocked } from "./filter-message.ts";

/** The result of storing a message; the message is null when the filter blocked it. */
export interface StoreResult {
  readonly message: Message | null;
  readonly filtered: boolean;
  readonly blocked: boolean;
  readonly rule_ids: readonly string[];
}

interface AddResult {
  readonly stored: StoreResult;
  /** False when a message with the same `temp_id` was stored before; `stored.message` is its current form. */
  readonly isNew: boolean;
}

/** Appends a message to its session, or returns the message that has its id. */
export type AppendMessage = (message: Message) => Promise<AppendResult>;

/** Stores a message without a turn. While a message with the same `temp_id` exists in the session, returns that one. */
export type AddMessage = (idOrKey: string, draft: MessageDraft, append?: AppendMessage) => Promise<AddResult>;

export function createAddMessage(deps: SessionDeps): AddMessage {
  const { sessions, messages, database } = deps;
  const findById = async (id: string) => (await messages.byIds([id]))[0];
  /** Inserts a message before the message at this index. */
  const insertAt = (message: Message, index: number): Promise<AppendResult> =>
    retryOnConflict(async () => {
      // A concurrent request stored a message with the same id.
      const existing = message.temp_id === null ? undefined : await findById(message.id);
      if (existing) return { message: existing, isNew: false };
      const { seq, writes } = await messages.seqAt(message.session_id, index);
      const placed = { ...message, seq };
      const inserts = messages.insertWrites([placed], "live");
      await database().write([...writes, ...inserts, ...messages.recountWrites(message.session_id)]);
      return { message: placed, isNew: true };
    });
  const toRepeatedResult = async (
    session: Session,
    message: Message,
    { role, content }: MessageDraft,
  ): Promise<AddResult> => {
    const { filtered } = message;
    const rule_ids = filtered
      ? (await filterMessage(deps, session, role, content, message.attachments.length > 0)).rules
      : [];
    return { stored: { message, filtered, blocked: false, rule_ids }, isNew: false };
  };
  return async (idOrKey, draft, append) => {
    const session = await sessions.get(idOrKey);
    const { insert_index, deliver: _deliver, temp_id, ...fields } = draft;
    // Of two concurrent requests with the same id, the second finds it in use.
    const id = temp_id === undefined ? newId("msg", deps.clock.now()) : toMessageIdOfTempId(session.id, temp_id);
    const existingMessage = temp_id === undefined ? undefined : await findById(id);
    if (existingMessage) return toRepeatedResult(session, existingMessage, draft);
    assertNotArchived(session);
    assertHasContent(draft.content, draft.attachments);
    const attachments = await retainAttachments(deps, session.id, draft.attachments);
    if (insert_index !== undefined) assertNotRunning(deps, session);
    if (draft.reply_to !== undefined) await messages.find(session.id, draft.reply_to);
    const filterResult = await filterMessage(deps, session, draft.role, draft.content, draft.attachments.length > 0);
    const filterInfo = { filtered: filterResult.filtered, blocked: filterResult.blocked, rule_ids: filterResult.rules };
    if (filterResult.blocked) {
      publishBlocked(deps, session, draft.role, filterResult.rules, temp_id ?? null);
      return { stored: { message: null, ...filterInfo }, isNew: true };
    }
    const newMessageRow = newMessage({
      ...fields,
      attachments,
      id,
      session_id: session.id,
      temp_id: temp_id ?? null,
      content: filterResult.text,
      filtered: filterResult.filtered,
      filter_rule_count: filterResult.rules.length,
      source: "api",
      timestamp: draft.timestamp === undefined ? now(deps) : new Date(draft.timestamp).toISOString(),
    });
    const { message, isNew } = await (insert_index === undefined
      ? (append?.(newMessageRow) ?? messages.append(newMessageRow, session.channel_id))
      : insertAt(newMessageRow, insert_index));
    if (!isNew) return toRepeatedResult(session, message, draft);
    publishMessage(deps, "new_message", message);
    return { stored: { message, ...filterInfo }, isNew };
  };
}
