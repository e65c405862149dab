import Joi from "@hapi/joi";
import { clampPage, contains, type List } from "@parley/core";
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { sessionFailure } from "./said-failures.ts";
import type { SessionQuery } from "./schemas/sessions.ts";
import type { SessionTable, SessionTables } from "./tables.ts";

export interface SessionPage extends List<SessionTable> {
  /** Where the next page begins, whatever is added meanwhile; null at the end. */
  readonly next_cursor: string | null;
}

type Rows = SelectQueryBuilder<SessionTables, "sessions", object>;

/** The place of a row: those after it are the next page. */
interface Place {
  readonly pinned: number;
  readonly at: string;
  readonly id: string;
}

const place = Joi.object<Place>({
  pinned: Joi.valid(0, 1).required(),
  at: Joi.string().max(40).required(),
  id: Joi.string().max(300).required(),
});
/** What an index of the table holds, said the same way. */
const moment = sql<string>`coalesce(last_message_at, created_at)`;

/** A page of the sessions that a list asks for: pinned ones first, then the newest. */
export async function pageOfSessions(tables: Kysely<SessionTables>, query: SessionQuery): Promise<SessionPage> {
  const page = clampPage(query);
  if (query.cursor !== undefined && page.offset > 0) {
    throw sessionFailure("bad_request", "no_offset", {}, { field: "offset" });
  }
  const rows = narrowed(tables.selectFrom("sessions"), query);
  const read = (from: Rows, count: number) =>
    from
      .selectAll()
      .orderBy("pinned", "desc")
      .orderBy(moment, "desc")
      .orderBy("id", "desc")
      .limit(count)
      .offset(page.offset)
      .execute();
  const readAfter = async (after: Place, count: number) => {
    const own = await read(rows.where("pinned", "=", after.pinned).where(isAfter(after)), count);
    // The pinned ones end within the page.
    const others = after.pinned === 1 && own.length < count;
    return others ? [...own, ...(await read(rows.where("pinned", "=", 0), count - own.length))] : own;
  };
  // One more tells whether there is another page.
  const [found, total] = await Promise.all([
    query.cursor === undefined ? read(rows, page.limit + 1) : readAfter(placeOf(query.cursor), page.limit + 1),
    rows.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirst(),
  ]);
  const items = found.slice(0, page.limit);
  const last = found.length > page.limit ? items.at(-1) : undefined;
  return { items, total: Number(total?.count ?? 0), ...page, next_cursor: last ? cursorOf(last) : null };
}

function narrowed(rows: Rows, query: SessionQuery): Rows {
  const { archived, type, channel_id, character_id, folder, favorite, pinned, tag, q } = query;
  let some = rows.where("is_temporary", "=", 0);
  if (archived !== "all") some = some.where("archived", "=", Number(archived === "true"));
  if (type) some = some.where("type", "=", type);
  if (channel_id) some = some.where("channel_id", "=", channel_id);
  if (character_id) some = some.where("character_id", "=", character_id);
  if (folder) some = some.where("folder", "=", folder);
  if (favorite !== undefined) some = some.where("favorite", "=", Number(favorite));
  if (pinned !== undefined) some = some.where("pinned", "=", Number(pinned));
  if (tag) some = some.where(contains("fields", JSON.stringify(tag)));
  if (!q) return some;
  return some.where((row) => row.or(["name", "last_sender", "last_preview"].map((name) => contains(name, q))));
}

/** The first half alone lets the index begin there. */
function isAfter({ at, id }: Place) {
  return sql<boolean>`${moment} <= ${at} and (${moment} < ${at} or id < ${id})`;
}

function cursorOf({ pinned, last_message_at, created_at, id }: SessionTable): string {
  const at: Place = { pinned, at: last_message_at ?? created_at, id };
  return Buffer.from(JSON.stringify(at)).toString("base64url");
}

function placeOf(cursor: string): Place {
  const { value, error } = place.validate(parsed(Buffer.from(cursor, "base64url").toString()), { convert: false });
  if (error || value === undefined) throw sessionFailure("bad_request", "cursor", {}, { field: "cursor" });
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
