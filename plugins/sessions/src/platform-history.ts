import { type Message, newId, type Sessions } from "@parley/core";
import { createBranches } from "./branches.ts";
import { again } from "./message-store.ts";
import { now, refuseRunning, type SessionParts, screened, tellMessage, tellRemoved } from "./parts.ts";
import { newMessage } from "./rows.ts";
import { sessionFailure } from "./said-failures.ts";
import type { SessionRows } from "./session-rows.ts";
import type { SessionTables } from "./tables.ts";

/** What plugins of channels do with a history besides turns. */
export function createPlatformHistory(
  parts: SessionParts,
  rows: SessionRows,
): Pick<Sessions, "clear" | "record" | "adopt"> {
  const { sessions, messages, database } = parts;
  const tables = () => database().tables<SessionTables>();
  return {
    async clear(idOrKey, { withSession }) {
      const session = await sessions.get(idOrKey);
      refuseRunning(parts, session);
      const ids = [...(await messages.ids(session.id, "live")), ...(await messages.ids(session.id, "archive"))];
      const ended = await createBranches(parts).endingAll(session.id);
      await database().write([...messages.remove(ids), ...ended, ...messages.recount(session.id)]);
      tellRemoved(parts, session.id, ids, "cleared");
      if (withSession) await rows.remove(session.id);
      return { deleted: ids.length };
    },
    async record(idOrKey, entry) {
      const session = await sessions.get(idOrKey);
      const { role, content, attachments, sender, senderId, source, platformMessageId, replyTo, notice, timestamp } =
        entry;
      const known =
        platformMessageId === undefined ? undefined : await messages.findByPlatform(session.id, platformMessageId);
      if (known) return { message: known, filtered: false, blocked: false, isKnown: true };
      const target = role === "assistant" ? "ai" : "user";
      const seen = await screened(parts, session, target, role === "system" ? "" : content, attachments.length > 0);
      if (seen.blocked) return { message: null, filtered: true, blocked: true, isKnown: false };
      const message = newMessage({
        id: newId("msg", parts.clock.now()),
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
        timestamp: timestamp ?? now(parts),
      });
      let stored = (await messages.append(message, session.channel_id, platformMessageId)).message;
      if (timestamp !== undefined) stored = await movedToItsTime(stored);
      tellMessage(parts, "new_message", stored);
      return { message: stored, filtered: seen.filtered, blocked: false, isKnown: false };
    },
    async adopt(webSessionId, conversation) {
      const web = await sessions.get(webSessionId);
      if (web.channel_id !== "web") throw sessionFailure("conflict", "not_web", {}, { field: "session_id" });
      refuseRunning(parts, web);
      const found = await sessions.find(conversation.sessionId);
      if (found && found.message_count > 0) throw sessionFailure("conflict", "has_messages");
      const session = await rows.openFor({
        ...conversation,
        conversation: { ...conversation.conversation, title: web.name },
      });
      const { character_id, system_prompt, model_id, sender_name, sender_avatar, scenario } = web;
      const binding = { character_id, system_prompt, model_id, sender_name, sender_avatar, scenario };
      const ids = [...(await messages.ids(web.id, "live")), ...(await messages.ids(web.id, "archive"))];
      // Messages keep their ids.
      const same = new Map(ids.map((id) => [id, id]));
      const moved = (table: "messages" | "message_branches") => ({
        query: tables().updateTable(table).set({ session_id: session.id }).where("session_id", "=", web.id),
      });
      const theirs = await parts.belongings.copied({ from: web.id, to: session.id, messages: same });
      const others = [moved("messages"), moved("message_branches"), ...messages.recount(session.id), ...theirs];
      await sessions.change(session.id, () => binding, { others });
      await rows.remove(web.id);
      return sessions.get(session.id);
    },
  };

  /** Appended first, so that its id is taken; then put before what was said later. */
  async function movedToItsTime(message: Message): Promise<Message> {
    const later = await tables()
      .selectFrom("messages")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("session_id", "=", message.session_id)
      .where("place", "=", "live")
      .where("role", "!=", "system")
      .where("hidden", "=", 0)
      .where("timestamp", "<=", message.timestamp)
      .where("id", "!=", message.id)
      .executeTakeFirst();
    return again(async () => {
      const { seq, writes } = await messages.seqAt(message.session_id, Number(later?.count ?? 0));
      const set = tables().updateTable("messages").set({ seq }).where("id", "=", message.id);
      await database().write([...writes, { query: set }, ...messages.recount(message.session_id)]);
      return { ...message, seq };
    });
  }
}
