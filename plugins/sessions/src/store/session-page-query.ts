import Joi from "@hapi/joi";
import { contains } from "@parley/core";
import { clampPage, type List } from "@parley/core/http";
import { countRows } from "@parley/core/storage";
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { SessionQuery } from "../schemas/sessions.ts";
import { sessionsTexts } from "../texts.ts";
import type { SessionTable, SessionTables } from "./tables.ts";

export interface SessionPage extends List<SessionTable> {
  /** Cursor of the next page, which stays valid when messages are added; null at the end. */
  readonly next_cursor: string | null;
}

type SessionQueryBuilder = SelectQueryBuilder<SessionTables, "sessions", object>;

/** Position of a row, after which the next page starts. */
interface Cursor {
  readonly pinned: number;
  readonly at: string;
  readonly id: string;
}

const cursorSchema = Joi.object<Cursor>({
  pinned: Joi.valid(0, 1).required(),
  at: Joi.string().max(40).required(),
  id: Joi.string().max(300).required(),
});
/** The expression must equal that of the table's index. */
const LAST_ACTIVITY_SQL = sql<string>`coalesce(last_message_at, created_at)`;

/** Returns a page of sessions: pinned ones first, each ordered by last activity. */
export async function querySessionPage(tables: Kysely<SessionTables>, query: SessionQuery): Promise<SessionPage> {
  const page = clampPage(query);
  if (query.cursor !== undefined && page.offset > 0) {
    throw sessionsTexts.error("bad_request", "no_offset", {}, { field: "offset" });
  }
  const rows = applyFilters(tables.selectFrom("sessions"), query);
  const readRows = (from: SessionQueryBuilder, count: number) =>
    from
      .selectAll()
      .orderBy("pinned", "desc")
      .orderBy(LAST_ACTIVITY_SQL, "desc")
      .orderBy("id", "desc")
      .limit(count)
      .offset(page.offset)
      .execute();
  const readAfter = async (after: Cursor, count: number) => {
    const samePinned = await readRows(rows.where("pinned", "=", after.pinned).where(isAfterCursor(after)), count);
    // The pinned sessions end on this page, so unpinned ones fill it.
    const needsUnpinned = after.pinned === 1 && samePinned.length < count;
    return needsUnpinned
      ? [...samePinned, ...(await readRows(rows.where("pinned", "=", 0), count - samePinned.length))]
      : samePinned;
  };
  // One extra row shows whether there is another page.
  const [found, total] = await Promise.all([
    query.cursor === undefined ? readRows(rows, page.limit + 1) : readAfter(decodeCursor(query.cursor), page.limit + 1),
    countRows(rows),
  ]);
  const items = found.slice(0, page.limit);
  const last = found.length > page.limit ? items.at(-1) : undefined;
  return { items, total, ...page, next_cursor: last ? encodeCursor(last) : null };
}

function applyFilters(rows: SessionQueryBuilder, query: SessionQuery): SessionQueryBuilder {
  const { archived, type, channel_id, character_id, folder, favorite, pinned, tag, q } = query;
  let filtered = rows.where("is_temporary", "=", 0);
  if (archived !== "all") filtered = filtered.where("archived", "=", Number(archived === "true"));
  if (type) filtered = filtered.where("type", "=", type);
  if (channel_id) filtered = filtered.where("channel_id", "=", channel_id);
  if (character_id) filtered = filtered.where(hasCharacter(character_id));
  if (folder) filtered = filtered.where("folder", "=", folder);
  if (favorite !== undefined) filtered = filtered.where("favorite", "=", Number(favorite));
  if (pinned !== undefined) filtered = filtered.where("pinned", "=", Number(pinned));
  if (tag) filtered = filtered.where(contains("fields", JSON.stringify(tag)));
  if (!q) return filtered;
  return filtered.where((row) => row.or(["name", "last_sender", "last_preview"].map((name) => contains(name, q))));
}

/** Returns the condition for sessions of a character, alone or with others. */
export function hasCharacter(id: string) {
  const isOneOfSeveral = contains("character_ids", JSON.stringify(id));
  return ({ eb, or }: ExpressionBuilder<SessionTables, "sessions">) =>
    or([eb("character_id", "=", id), isOneOfSeveral]);
}

/** Its first half is redundant, but lets the index start at the cursor. */
function isAfterCursor({ at, id }: Cursor) {
  return sql<boolean>`${LAST_ACTIVITY_SQL} <= ${at} and (${LAST_ACTIVITY_SQL} < ${at} or id < ${id})`;
}

function encodeCursor({ pinned, last_message_at, created_at, id }: SessionTable): string {
  const at: Cursor = { pinned, at: last_message_at ?? created_at, id };
  return Buffer.from(JSON.stringify(at)).toString("base64url");
}

function decodeCursor(cursor: string): Cursor {
  const { value, error } = cursorSchema.validate(parseJson(Buffer.from(cursor, "base64url").toString()), {
    convert: false,
  });
  if (error || value === undefined) throw sessionsTexts.error("bad_request", "cursor", {}, { field: "cursor" });
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
