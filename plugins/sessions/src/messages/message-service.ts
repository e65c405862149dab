import { checkRevision, type Message, newId, notFound, type Session } from "@parley/core";
import { type List, mapItems } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import { createGreetings } from "../conversations/greetings.ts";
import type { FavoriteBody, MessageDraft, MessagePatch, MessageQuery } from "../schemas/messages.ts";
import {
  assertNotRunning,
  listTurnMessageIds,
  now,
  publishMessage,
  publishMessagesRemoved,
  type SessionDeps,
} from "../session-deps.ts";
import { retryOnConflict } from "../store/message-store.ts";
import { newMessage } from "../store/rows.ts";
import type { SessionTables } from "../store/tables.ts";
import { sessionsTexts } from "../texts.ts";
import { assertHasContent } from "../turns/turn-stages.ts";
import type { AddMessage, StoreResult } from "./add-message.ts";
import { retainAttachments } from "./attachments.ts";
import { createBranches } from "./branches.ts";
import { filterMessage, publishBlocked } from "./filter-message.ts";
import { type Favorite, fromFavoriteRow } from "./message-feedback.ts";

/** Operations on single messages. */
export interface MessageService {
  list(idOrKey: string, query: MessageQuery): Promise<List<Message>>;
  add(idOrKey: string, draft: MessageDraft): Promise<StoreResult>;
  update(idOrKey: string, messageId: string, patch: MessagePatch, ifMatch?: number): Promise<object>;
  remove(idOrKey: string, messageId: string): Promise<object>;
  clear(idOrKey: string, withArchive: boolean): Promise<{ readonly deleted: number }>;
  favorites(idOrKey: string, page: { readonly limit: number; readonly offset: number }): Promise<List<Favorite>>;
  setFavorite(idOrKey: string, body: FavoriteBody): Promise<object>;
}

export function createMessageService(deps: SessionDeps, addMessage: AddMessage): MessageService {
  const { sessions, messages, database, gateway } = deps;
  const tables = () => database().tables<SessionTables>();
  const branches = createBranches(deps);
  const greetings = createGreetings(deps);
  /** Stores the changed message after the messages before it; the old one and its successors become a branch. */
  const saveAsBranch = async (session: Session, old: Message, changed: Message) => {
    const tail = await messages.liveFrom(session.id, old.seq);
    const next = await retryOnConflict(async () => {
      const made = newMessage({
        ...changed,
        id: newId("msg", deps.clock.now()),
        seq: await messages.nextSeq(session.id),
        temp_id: null,
        trace_id: null,
        error: null,
        revision: 1,
      });
      await database().write([
        ...(await branches.branchOffWrites(session, tail)),
        ...messages.insertWrites([made], "live"),
        ...(await branches.undoWrites(session, tail)),
        ...messages.recountWrites(session.id),
      ]);
      return made;
    });
    const removed_ids = tail.map(({ id }) => id);
    publishMessagesRemoved(deps, session.id, removed_ids, "branched");
    publishMessage(deps, "new_message", next);
    const { filtered } = next;
    return { message: next, filtered, blocked: false, removed_count: removed_ids.length, removed_ids };
  };

  return {
    async list(idOrKey, query) {
      return messages.page(await sessions.get(idOrKey), query);
    },
    add: async (idOrKey, draft) => (await addMessage(idOrKey, draft)).stored,
    async update(idOrKey, messageId, { truncate_after = false, as_branch = false, ...patch }, ifMatch) {
      if (truncate_after && as_branch)
        throw sessionsTexts.error("bad_request", "branch_and_cut", {}, { field: "as_branch" });
      const session = await sessions.get(idOrKey);
      const old = await messages.find(session.id, messageId);
      assertNotRunning(deps, session);
      checkRevision(old, ifMatch);
      const retained = patch.attachments && (await retainAttachments(deps, session.id, patch.attachments));
      const role = patch.role ?? old.role;
      const attachments = retained ?? old.attachments;
      const text = patch.content ?? old.content;
      if (patch.content !== undefined || retained !== undefined) assertHasContent(text, attachments);
      const seen =
        patch.content === undefined
          ? { text, filtered: old.filtered, blocked: false, rules: [] }
          : await filterMessage(deps, session, role, text, attachments.length > 0);
      if (seen.blocked) {
        publishBlocked(deps, session, role, seen.rules, null);
        return { message: old, filtered: true, blocked: true, removed_count: 0, removed_ids: [] };
      }
      const isEdited = Object.keys(patch).length > 0;
      const isSwipe = patch.content !== undefined && (await greetings.isSwipe(session, old, patch.content));
      const changed: Message = {
        ...old,
        ...patch,
        attachments,
        content: seen.text,
        filtered: seen.filtered,
        timestamp: patch.timestamp === undefined ? old.timestamp : new Date(patch.timestamp).toISOString(),
        edited_at: isSwipe ? null : isEdited ? now(deps) : old.edited_at,
      };
      if (as_branch) return saveAsBranch(session, old, changed);
      const next: Message = { ...changed, revision: old.revision + 1 };
      const after = truncate_after ? await messages.liveFrom(session.id, old.seq + 1) : [];
      const later = after.map(({ id }) => id);
      // Undoes filter hits only when the text changed, since they belong to the old text.
      const undone = await branches.undoWrites(session, after, next.content === old.content ? [] : [old.id]);
      const ended = await branches.deleteDependentWrites(session.id, later);
      const removing = [...messages.deleteWrites(later), ...ended, ...messages.recountWrites(session.id)];
      await messages.replace(next, [...removing, ...undone]);
      publishMessage(deps, "message_updated", next);
      publishMessagesRemoved(deps, session.id, later, "truncated");
      return {
        message: next,
        filtered: seen.filtered,
        blocked: false,
        removed_count: later.length,
        removed_ids: later,
      };
    },
    async remove(idOrKey, messageId) {
      const session = await sessions.get(idOrKey);
      const message = await messages.find(session.id, messageId);
      const running = gateway().running(session.id);
      if (running && running.traceId === message.trace_id) throw sessionsTexts.error("conflict", "turn_of_message");
      const replies = (await messages.liveFrom(session.id, message.seq)).filter(
        ({ reply_to }) => reply_to === messageId,
      );
      const undone = await deps.lifecycle.withoutMessages(session.id, listTurnMessageIds([message]));
      const closed = await branches.reattachWrites(message);
      await database().write([
        ...closed,
        ...messages.deleteWrites([messageId]),
        ...messages.recountWrites(session.id),
        ...undone,
      ]);
      for (const reply of replies) {
        await messages.replace({ ...reply, reply_to: null, revision: reply.revision + 1 });
      }
      publishMessagesRemoved(deps, session.id, [messageId], "deleted");
      return { id: messageId, deleted: true, message_count: (await sessions.get(session.id)).message_count };
    },
    async clear(idOrKey, withArchive) {
      const session = await sessions.get(idOrKey);
      assertNotRunning(deps, session);
      const live = await messages.ids(session.id, "live");
      const old = withArchive ? await messages.ids(session.id, "archive") : [];
      const undone = await deps.lifecycle.withoutMessages(session.id, [...live, ...old]);
      const gone = [...messages.deleteWrites([...live, ...old]), ...(await branches.deleteAllWrites(session.id))];
      await database().write([...gone, ...messages.recountWrites(session.id), ...undone]);
      publishMessagesRemoved(deps, session.id, live, "cleared");
      return { deleted: live.length + old.length };
    },
    async favorites(idOrKey, page) {
      const session = await sessions.get(idOrKey);
      const rows = tables().selectFrom("message_favorites").where("session_id", "=", session.id);
      return mapItems(await readPage(rows, page, (all) => all.selectAll().orderBy("id", "desc")), fromFavoriteRow);
    },
    async setFavorite(idOrKey, { message_ids, title, collection_id }) {
      const session = await sessions.get(idOrKey);
      const of = () => tables().selectFrom("message_favorites").selectAll().where("session_id", "=", session.id);
      const old =
        collection_id === undefined ? undefined : await of().where("id", "=", collection_id).executeTakeFirst();
      if (collection_id !== undefined && !old) throw notFound("collection", collection_id);
      if (message_ids.length === 0) {
        if (!old) throw sessionsTexts.error("bad_request", "no_ids", {}, { field: "message_ids" });
        await database().write([{ query: tables().deleteFrom("message_favorites").where("id", "=", old.id) }]);
        return { id: old.id, deleted: true };
      }
      const copies = new Map((old ? fromFavoriteRow(old).messages : []).map((message) => [message.id, message]));
      const found = await Promise.all(message_ids.map(async (id) => copies.get(id) ?? messages.find(session.id, id)));
      const at = now(deps);
      const row = {
        id: old?.id ?? newId("fav", deps.clock.now()),
        session_id: session.id,
        title: title ?? old?.title ?? at.slice(0, 10),
        created_at: old?.created_at ?? at,
        updated_at: at,
        messages: JSON.stringify(found),
      };
      const { id, ...changed } = row;
      const query = tables()
        .insertInto("message_favorites")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(changed));
      await database().write([{ query }]);
      return fromFavoriteRow(row);
    },
  };
}
