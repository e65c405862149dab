import { type List, type Message, newId, type Session, type TimelineEntry } from "@parley/core";
import { isForPeople } from "./operator-only.ts";
import { now, refuseRunning, type SessionParts, tellMessage, tellRemoved } from "./parts.ts";
import { newMessage } from "./rows.ts";
import { sessionFailure } from "./said-failures.ts";
import type { TimelineBody, TimelineQuery } from "./schemas/context.ts";
import type { SessionTables } from "./tables.ts";
import { addingEntry, shownEntry } from "./timeline.ts";

const KEEP_LAST = 5;
const KEEP_LAST_AFTER_SUMMARY = 3;
const MIN_TO_COMPRESS = 10;
const MIN_AFTER_SUMMARY = 5;
const SUMMARY_CHARS = 2000;

/** What a session remembers and how it is shortened. */
export interface ContextRows {
  compress(idOrKey: string, keepLast: number | undefined, signal: AbortSignal): Promise<object>;
  /** `keptFor`: the account in whose name the summary is remembered; without one it is not. */
  summarize(idOrKey: string, maxChars: number, signal: AbortSignal, keptFor?: string): Promise<object>;
  restore(idOrKey: string, turns: number): Promise<object>;
  customPrompt(idOrKey: string): Promise<object>;
  setCustomPrompt(idOrKey: string, content: string | null): Promise<object>;
  timeline(idOrKey: string, query: TimelineQuery): Promise<List<TimelineEntry>>;
  addToTimeline(idOrKey: string, body: TimelineBody): Promise<TimelineEntry>;
}

export function createContextRows(parts: SessionParts): ContextRows {
  const { sessions, messages, database, summaries } = parts;
  const tables = () => database().tables<SessionTables>();
  const shownPrompt = async (session: Session) => {
    const { content, updated_at } = await sessions.customPrompt(session.id);
    return { content, exists: content !== "", updated_at };
  };

  return {
    async compress(idOrKey, wanted, signal) {
      const session = await sessions.get(idOrKey);
      refuseRunning(parts, session);
      const all = await messages.liveFrom(session.id, 0);
      const old = all.find(({ kind }) => kind === "summary");
      const talk = all.filter(({ kind }) => kind !== "summary" && kind !== "archive_divider");
      const least = old ? MIN_AFTER_SUMMARY : MIN_TO_COMPRESS;
      if (talk.length < least)
        throw sessionFailure("bad_request", "few_messages", { least, count: talk.length }, { field: "messages" });
      const keep = wanted ?? (old ? KEEP_LAST_AFTER_SUMMARY : KEEP_LAST);
      const away = talk.slice(0, Math.max(0, talk.length - keep));
      if (away.length === 0) throw sessionFailure("bad_request", "keeps_all", {}, { field: "keep_last" });
      // The summary is shown to the model in every answer.
      const shown = session.channel_id === "web" ? away : away.filter(isForPeople);
      const request = { session, messages: shown, maxChars: SUMMARY_CHARS, ...(old && { previous: old.content }) };
      const text = await summaries().summarize(request, signal);
      refuseRunning(parts, await sessions.get(session.id));
      // Between what goes and what stays.
      const last = away.at(-1)?.seq ?? 0;
      const summary = newMessage({
        id: newId("msg", parts.clock.now()),
        session_id: session.id,
        seq: last + 1,
        role: "system",
        kind: "summary",
        content: text,
        timestamp: now(parts),
      });
      const replaced = all.filter(({ kind }) => kind === "summary" || kind === "archive_divider").map(({ id }) => id);
      await sessions.change(session.id, () => ({ summary: text }), {
        others: [
          ...messages.move(
            away.map(({ id }) => id),
            "archive",
          ),
          ...messages.remove(replaced),
          ...(await messages.room(session.id, last, 1)),
          ...messages.inserts([summary], "live"),
          ...messages.recount(session.id),
        ],
      });
      tellRemoved(parts, session.id, [...away.map(({ id }) => id), ...replaced], "compressed");
      tellMessage(parts, "new_message", summary);
      const { archived_message_count } = await sessions.get(session.id);
      return { compressed_count: away.length, summary: text, summary_message_id: summary.id, archived_message_count };
    },
    async summarize(idOrKey, maxChars, signal, keptFor) {
      const session = await sessions.get(idOrKey);
      const all = (await messages.liveFrom(session.id, 0)).filter(
        ({ kind }) => kind === "normal" || kind === "summary",
      );
      if (all.length === 0) throw sessionFailure("bad_request", "no_messages", {}, { field: "messages" });
      const summary = await summaries().summarize({ session, messages: all, maxChars }, signal);
      const saved =
        keptFor === undefined || session.is_temporary
          ? []
          : await parts.memories()?.ofSummary(session, summary, keptFor);
      return { summary, saved_memories: saved ?? [] };
    },
    async restore(idOrKey, turns) {
      const session = await sessions.get(idOrKey);
      refuseRunning(parts, session);
      const archive = await messages.archived(session.id);
      if (archive.length === 0) throw sessionFailure("conflict", "no_archive");
      const begins = archive.flatMap((message, index) => (message.role === "user" || index === 0 ? [index] : []));
      const first = begins.at(-turns) ?? 0;
      const back = archive.slice(first);
      const live = await messages.liveFrom(session.id, 0);
      const summary = live.find(({ kind }) => kind === "summary");
      const from = back[0]?.seq ?? 0;
      const divider = newMessage({
        id: newId("msg", parts.clock.now()),
        session_id: session.id,
        seq: from + 1,
        role: "system",
        kind: "archive_divider",
        timestamp: now(parts),
      });
      const oldDividers = live.filter(({ kind }) => kind === "archive_divider").map(({ id }) => id);
      // The summary stands before what came back.
      const moved = summary && { ...summary, seq: from };
      await database().write([
        ...messages.move(
          back.map(({ id }) => id),
          "live",
        ),
        ...messages.remove([...oldDividers, ...(summary ? [summary.id] : [])]),
        ...(await messages.room(session.id, from - 1, 2)),
        ...messages.inserts([...(moved ? [moved] : []), divider], "live"),
        ...messages.recount(session.id),
      ]);
      const returned = new Set(back.map(({ id }) => id));
      const shown = await messages.liveFrom(session.id, from);
      for (const message of shown) if (returned.has(message.id)) tellMessage(parts, "new_message", message);
      return {
        turns_requested: turns,
        turns_restored: Math.min(turns, begins.length),
        messages_restored: back.length,
        archive_messages_remaining: first,
        insert_index: summary ? 1 : 0,
      };
    },
    async customPrompt(idOrKey) {
      return shownPrompt(await sessions.get(idOrKey));
    },
    async setCustomPrompt(idOrKey, content) {
      const session = await sessions.get(idOrKey);
      await sessions.setCustomPrompt(session.id, content);
      return content === null ? { exists: false } : shownPrompt(session);
    },
    async timeline(idOrKey, { order, character_id, limit, offset }) {
      const session = await sessions.get(idOrKey);
      let rows = tables().selectFrom("runtime_timeline").where("session_id", "=", session.id);
      if (character_id) rows = rows.where("character_id", "=", character_id);
      const most = Math.min(limit, 500);
      const [found, count] = await Promise.all([
        rows.select("entry").orderBy("id", order).limit(most).offset(offset).execute(),
        rows.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirst(),
      ]);
      return {
        items: found.map(({ entry }) => shownEntry(JSON.parse(entry))),
        total: Number(count?.count ?? 0),
        limit: most,
        offset,
      };
    },
    async addToTimeline(idOrKey, { snapshot, character_id, message_id }) {
      const session = await sessions.get(idOrKey);
      const character = character_id ?? session.character_id;
      if (character === null) throw sessionFailure("bad_request", "no_bound", {}, { field: "character_id" });
      const message =
        message_id === undefined
          ? await messages.last(session.id, "live")
          : await messages.find(session.id, message_id);
      const newest = await tables()
        .selectFrom("runtime_timeline")
        .select(["id", "entry"])
        .where("session_id", "=", session.id)
        .where("character_id", "=", character)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      const before: TimelineEntry | undefined = newest && JSON.parse(newest.entry);
      const state = snapshot.state ?? before?.state ?? {};
      const relationship = snapshot.relationship ?? before?.relationship ?? {};
      const isSame =
        before && JSON.stringify([before.state, before.relationship]) === JSON.stringify([state, relationship]);
      const entry: TimelineEntry = {
        ...(isSame ? before : {}),
        id: isSame ? before.id : newId("tl", parts.clock.now()),
        session_id: session.id,
        character_id: character,
        message_id: message?.id ?? null,
        message_index: session.message_count,
        timestamp: now(parts),
        source: "manual",
        state,
        relationship,
        user_message: textOf(message, "user"),
        assistant_message: textOf(message, "assistant"),
      };
      await database().write(addingEntry(entry));
      return entry;
    },
  };
}

function textOf(message: Message | undefined, role: Message["role"]): string {
  return message?.role === role ? message.content.slice(0, 500) : "";
}
