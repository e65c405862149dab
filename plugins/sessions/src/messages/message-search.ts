import { contains } from "@parley/core";
import { type List, mapItems } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { SearchQuery } from "../schemas/messages.ts";
import type { SessionDeps } from "../session-deps.ts";
import type { SessionTables } from "../store/tables.ts";

/** A message found by the search, and its conversation. */
export interface MessageHit {
  readonly session_id: string;
  readonly session_name: string;
  readonly message_id: string;
  readonly role: string;
  readonly sender: string;
  readonly timestamp: string;
  /** Text around the first match. */
  readonly excerpt: string;
}

const EXCERPT_RADIUS = 70;

/** Searches messages by text or rating, newest first. */
export type MessageSearch = (query: SearchQuery) => Promise<List<MessageHit>>;

export function createMessageSearch({ database, sessions }: Pick<SessionDeps, "database" | "sessions">): MessageSearch {
  return async ({ q, rating, session_id, archived, ...pageQuery }) => {
    const id = session_id === undefined ? undefined : (await sessions.get(session_id)).id;
    let rows = database()
      .tables<SessionTables>()
      .selectFrom("messages")
      .innerJoin("sessions", "sessions.id", "messages.session_id")
      .where("messages.place", "=", "live")
      .where("messages.role", "!=", "system")
      .where("messages.hidden", "=", 0);
    if (q !== undefined) rows = rows.where(contains("messages.content", q));
    if (rating !== undefined) rows = rows.where("messages.rating", "=", rating);
    if (id !== undefined) rows = rows.where("messages.session_id", "=", id);
    else rows = rows.where("sessions.is_temporary", "=", 0);
    if (id === undefined && archived !== "all")
      rows = rows.where("sessions.archived", "=", Number(archived === "true"));
    const page = await readPage(rows, pageQuery, (all) =>
      all
        .select(["messages.id", "session_id", "sessions.name", "role", "sender", "timestamp", "content"])
        .orderBy("messages.timestamp", "desc")
        .orderBy("messages.id", "desc"),
    );
    return mapItems(page, ({ id: message_id, session_id: of, name, role, sender, timestamp, content }) => {
      const excerpt = toExcerpt(content, q ?? "");
      return { session_id: of, session_name: name, message_id, role, sender, timestamp, excerpt };
    });
  };
}

/** Returns one line around the match, without splitting a character. */
export function toExcerpt(content: string, query: string): string {
  const at = Math.max(0, content.toLowerCase().indexOf(query.toLowerCase()));
  const from = Math.max(0, at - EXCERPT_RADIUS);
  const to = Math.min(content.length, at + query.length + EXCERPT_RADIUS);
  const cut = content.slice(from, to).toWellFormed().replaceAll(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${cut}${to < content.length ? "…" : ""}`;
}
