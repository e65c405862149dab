import { isShared, type Message, newId, type Session, type TimelineEntry } from "@parley/core";
import { type List, mapItems } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { TimelineBody, TimelineQuery } from "../schemas/context.ts";
import { assertNotRunning, now, publishMessage, type SessionDeps } from "../session-deps.ts";
import { newMessage } from "../store/rows.ts";
import type { SessionTables } from "../store/tables.ts";
import { addEntryWrites, toTimelineEntry } from "../store/timeline.ts";
import { sessionsTexts } from "../texts.ts";
import { listHearers, planFold, summarizeFold, withRestored, writeFold } from "./fold-messages.ts";

const KEEP_LAST = 5;
const KEEP_LAST_AFTER_SUMMARY = 3;
const MIN_MESSAGES = 10;
const MIN_MESSAGES_AFTER_SUMMARY = 5;
const MAX_SUMMARY_CHARS = 2000;

/** Manages the context of a session: summaries, compression and custom prompt. */
export interface ContextService {
  compress(idOrKey: string, keepLast: number | undefined, signal: AbortSignal): Promise<object>;
  /** `rememberFor` is the account whose memory stores the summary; without it none is stored. */
  summarize(idOrKey: string, maxChars: number, signal: AbortSignal, rememberFor?: string): Promise<object>;
  restore(idOrKey: string, turns: number): Promise<object>;
  customPrompt(idOrKey: string): Promise<object>;
  setCustomPrompt(idOrKey: string, content: string | null): Promise<object>;
  timeline(idOrKey: string, query: TimelineQuery): Promise<List<TimelineEntry>>;
  addToTimeline(idOrKey: string, body: TimelineBody): Promise<TimelineEntry>;
}

export function createContextService(deps: SessionDeps): ContextService {
  const { sessions, messages, database, summaries } = deps;
  const tables = () => database().tables<SessionTables>();
  const toPromptView = async (session: Session) => {
    const { content, updated_at } = await sessions.customPrompt(session.id);
    return { content, exists: content !== "", updated_at };
  };

  return {
    async compress(idOrKey, requestedKeep, signal) {
      const session = await sessions.get(idOrKey);
      assertNotRunning(deps, session);
      const all = await messages.liveFrom(session.id, 0);
      const old = all.find(({ kind }) => kind === "summary");
      const keep = requestedKeep ?? (old ? KEEP_LAST_AFTER_SUMMARY : KEEP_LAST);
      const fold = planFold(all, (conversation) => {
        const least = old ? MIN_MESSAGES_AFTER_SUMMARY : MIN_MESSAGES;
        const { length: count } = conversation;
        if (count < least)
          throw sessionsTexts.error("bad_request", "few_messages", { least, count }, { field: "messages" });
        return keep;
      });
      if (fold.toArchive.length === 0)
        throw sessionsTexts.error("bad_request", "keeps_all", {}, { field: "keep_last" });
      const text = await summarizeFold(deps, session, fold, { maxChars: MAX_SUMMARY_CHARS, signal });
      assertNotRunning(deps, await sessions.get(session.id));
      const summary = await writeFold(deps, session, fold, text);
      const { archived_message_count } = await sessions.get(session.id);
      return {
        compressed_count: fold.toArchive.length,
        summary: text,
        summary_message_id: summary.id,
        archived_message_count,
      };
    },
    async summarize(idOrKey, maxChars, signal, rememberFor) {
      const session = await sessions.get(idOrKey);
      const all = (await messages.liveFrom(session.id, 0)).filter(
        ({ kind }) => kind === "normal" || kind === "summary",
      );
      if (all.length === 0) throw sessionsTexts.error("bad_request", "no_messages", {}, { field: "messages" });
      const summary = await summaries().summarize({ session, messages: all, maxChars }, signal);
      const character_id = isShared(session) ? listHearers(session, all)[0] : session.character_id;
      // In a shared conversation it is a memory of a character that was present all the time.
      const saved =
        rememberFor === undefined || session.is_temporary || character_id === undefined
          ? []
          : await deps.memories()?.ofSummary({ ...session, character_id }, summary, rememberFor);
      return { summary, saved_memories: saved ?? [] };
    },
    async restore(idOrKey, turns) {
      const session = await sessions.get(idOrKey);
      assertNotRunning(deps, session);
      const archive = await messages.listArchived(session.id);
      if (archive.length === 0) throw sessionsTexts.error("conflict", "no_archive");
      const turnStarts = archive.flatMap((message, index) => (message.role === "user" || index === 0 ? [index] : []));
      const first = turnStarts.at(-turns) ?? 0;
      const restored = archive.slice(first);
      const live = await messages.liveFrom(session.id, 0);
      const summary = live.find(({ kind }) => kind === "summary");
      const from = restored[0]?.seq ?? 0;
      const divider = newMessage({
        id: newId("msg", deps.clock.now()),
        session_id: session.id,
        seq: from + 1,
        role: "system",
        kind: "archive_divider",
        timestamp: now(deps),
      });
      const oldDividers = live.filter(({ kind }) => kind === "archive_divider").map(({ id }) => id);
      // The summary comes before the restored messages.
      const moved = summary && { ...withRestored(summary, restored.length, from), seq: from };
      await database().write([
        ...messages.moveWrites(
          restored.map(({ id }) => id),
          "live",
        ),
        ...messages.deleteWrites([...oldDividers, ...(summary ? [summary.id] : [])]),
        ...(await messages.makeRoomWrites(session.id, from - 1, 2)),
        ...messages.insertWrites([...(moved ? [moved] : []), divider], "live"),
        ...messages.recountWrites(session.id),
      ]);
      const returned = new Set(restored.map(({ id }) => id));
      const shown = await messages.liveFrom(session.id, from);
      for (const message of shown) if (returned.has(message.id)) publishMessage(deps, "new_message", message);
      return {
        turns_requested: turns,
        turns_restored: Math.min(turns, turnStarts.length),
        messages_restored: restored.length,
        archive_messages_remaining: first,
        insert_index: summary ? 1 : 0,
      };
    },
    async customPrompt(idOrKey) {
      return toPromptView(await sessions.get(idOrKey));
    },
    async setCustomPrompt(idOrKey, content) {
      const session = await sessions.get(idOrKey);
      await sessions.setCustomPrompt(session.id, content);
      return content === null ? { exists: false } : toPromptView(session);
    },
    async timeline(idOrKey, { order, character_id, ...page }) {
      const session = await sessions.get(idOrKey);
      let rows = tables().selectFrom("runtime_timeline").where("session_id", "=", session.id);
      if (character_id) rows = rows.where("character_id", "=", character_id);
      const found = await readPage(rows, page, (all) => all.select("entry").orderBy("id", order));
      return mapItems(found, ({ entry }) => toTimelineEntry(JSON.parse(entry)));
    },
    async addToTimeline(idOrKey, { snapshot, character_id, message_id }) {
      const session = await sessions.get(idOrKey);
      const character = character_id ?? session.character_id;
      if (character === null) throw sessionsTexts.error("bad_request", "no_bound", {}, { field: "character_id" });
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
        id: isSame ? before.id : newId("tl", deps.clock.now()),
        session_id: session.id,
        character_id: character,
        message_id: message?.id ?? null,
        message_index: session.message_count,
        timestamp: now(deps),
        source: "manual",
        state,
        relationship,
        user_message: toSnippet(message, "user"),
        assistant_message: toSnippet(message, "assistant"),
      };
      await database().write(addEntryWrites(entry));
      return entry;
    },
  };
}

function toSnippet(message: Message | undefined, role: Message["role"]): string {
  return message?.role === role ? message.content.slice(0, 500) : "";
}
