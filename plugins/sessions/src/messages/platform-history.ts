import { type Message, newId, type Sessions } from "@parley/core";
import type { SessionService } from "../conversations/session-service.ts";
import {
  applyFilter,
  assertNotRunning,
  now,
  publishMessage,
  publishMessagesRemoved,
  type SessionDeps,
} from "../session-deps.ts";
import { retryOnConflict } from "../store/message-store.ts";
import { newMessage } from "../store/rows.ts";
import type { SessionTables } from "../store/tables.ts";
import { sessionsTexts } from "../texts.ts";
import { createBranches } from "./branches.ts";

/** Creates the history operations for channel plugins, for use without a turn. */
export function createPlatformHistory(
  deps: SessionDeps,
  service: SessionService,
): Pick<Sessions, "clear" | "record" | "adopt"> {
  const { sessions, messages, database } = deps;
  const tables = () => database().tables<SessionTables>();
  return {
    async clear(idOrKey, { withSession }) {
      const session = await sessions.get(idOrKey);
      assertNotRunning(deps, session);
      const ids = [...(await messages.ids(session.id, "live")), ...(await messages.ids(session.id, "archive"))];
      const undone = await deps.lifecycle.withoutMessages(session.id, ids);
      const gone = [...messages.deleteWrites(ids), ...(await createBranches(deps).deleteAllWrites(session.id))];
      await database().write([...gone, ...messages.recountWrites(session.id), ...undone]);
      publishMessagesRemoved(deps, session.id, ids, "cleared");
      if (withSession) await service.remove(session.id);
      return { deleted: ids.length };
    },
    async record(idOrKey, entry) {
      const session = await sessions.get(idOrKey);
      const { role, content, attachments, sender, senderId, source, platformMessageId, replyTo, notice, timestamp } =
        entry;
      const existing =
        platformMessageId === undefined ? undefined : await messages.findByPlatform(session.id, platformMessageId);
      if (existing) return { message: existing, filtered: false, blocked: false, isKnown: true };
      const target = role === "assistant" ? "ai" : "user";
      const seen = await applyFilter(deps, session, target, role === "system" ? "" : content, attachments.length > 0);
      if (seen.blocked) return { message: null, filtered: true, blocked: true, isKnown: false };
      const message = newMessage({
        id: newId("msg", deps.clock.now()),
        session_id: session.id,
        role,
        ...(notice !== undefined && { kind: "notice", metadata: { notice } }),
        content: role === "system" ? content : seen.text,
        attachments,
        sender,
        sender_id: senderId,
        source,
        reply_to: replyTo ?? null,
        filtered: seen.filtered,
        filter_rule_count: seen.rules.length,
        timestamp: timestamp ?? now(deps),
      });
      let stored = (await messages.append(message, session.channel_id, platformMessageId)).message;
      if (timestamp !== undefined) stored = await moveToTimestamp(stored);
      publishMessage(deps, "new_message", stored);
      return { message: stored, filtered: seen.filtered, blocked: false, isKnown: false };
    },
    async adopt(webSessionId, conversation) {
      const web = await sessions.get(webSessionId);
      if (web.channel_id !== "web") throw sessionsTexts.error("conflict", "not_web", {}, { field: "session_id" });
      assertNotRunning(deps, web);
      const found = await sessions.find(conversation.sessionId);
      if (found && found.message_count > 0) throw sessionsTexts.error("conflict", "has_messages");
      const session = await service.openFor({
        ...conversation,
        conversation: { ...conversation.conversation, title: web.name },
      });
      const { character_id, character_ids = [], speaker_order = "mention", scenes = [] } = web;
      const { system_prompt, model_id, sender_name, sender_avatar, scenario } = web;
      const characters = { character_id, character_ids, speaker_order, scenes };
      const binding = { ...characters, system_prompt, model_id, sender_name, sender_avatar, scenario };
      const ids = [...(await messages.ids(web.id, "live")), ...(await messages.ids(web.id, "archive"))];
      // The messages are moved under their own ids.
      const same = new Map(ids.map((id) => [id, id]));
      const moved = (table: "messages" | "message_branches") => ({
        query: tables().updateTable(table).set({ session_id: session.id }).where("session_id", "=", web.id),
      });
      const pluginWrites = await deps.lifecycle.copied({ from: web.id, to: session.id, messages: same });
      const others = [
        moved("messages"),
        moved("message_branches"),
        ...messages.recountWrites(session.id),
        ...pluginWrites,
      ];
      await sessions.change(session.id, () => binding, { others });
      await service.remove(web.id);
      return sessions.get(session.id);
    },
  };

  /** Appends the message, which reserves its id, and then moves it before later messages. */
  async function moveToTimestamp(message: Message): Promise<Message> {
    const earlier = await tables()
      .selectFrom("messages")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("session_id", "=", message.session_id)
      .where("place", "=", "live")
      .where("role", "!=", "system")
      .where("timestamp", "<=", message.timestamp)
      .where("id", "!=", message.id)
      .executeTakeFirst();
    return retryOnConflict(async () => {
      const { seq, writes } = await messages.seqAt(message.session_id, Number(earlier?.count ?? 0));
      const set = tables().updateTable("messages").set({ seq }).where("id", "=", message.id);
      await database().write([...writes, { query: set }, ...messages.recountWrites(message.session_id)]);
      return { ...message, seq };
    });
  }
}
