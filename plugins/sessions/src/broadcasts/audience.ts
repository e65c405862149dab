import { type Channels, contains, isGroupSession, type Session } from "@parley/core";
import type { Kysely } from "kysely";
import { fromSessionRow } from "../rows.ts";
import { sessionFailure } from "../said-failures.ts";
import type { SessionTables } from "../tables.ts";
import type { Audience, Preview } from "./schema.ts";

/** So many conversations one broadcast may go to. */
const MOST = 10_000;
const PAGE = 500;
const SHOWN = 20;
const DAY_MS = 86_400_000;

export type Meant = Pick<Session, "id" | "name" | "channel_id">;

interface MeantParts {
  readonly tables: Kysely<SessionTables>;
  readonly channels: Channels | undefined;
  readonly nowMs: number;
}

/**
 * The conversations with people of channels that are meant, in the order of their ids. Archived ones are left out, and who
 * is never answered there.
 */
export async function meantBy({ tables, channels, nowMs }: MeantParts, audience: Audience): Promise<Meant[]> {
  const meant: Meant[] = [];
  const named = audience.session_ids ? [...audience.session_ids].sort() : undefined;
  for (let after = "", at = 0; ; at += PAGE) {
    const ids = named?.slice(at, at + PAGE);
    if (ids?.length === 0) return meant;
    let rows = narrowed(tables, audience, nowMs).orderBy("id").limit(PAGE);
    rows = ids ? rows.where("id", "in", ids) : rows.where("id", ">", after);
    const found = await rows.execute();
    const sessions = found.map((row) => fromSessionRow(row, false, nowMs));
    meant.push(
      ...sessions
        .filter((session) => isMeant(session, audience) && !isDenied(session, channels))
        .map(({ id, name, channel_id }) => ({ id, name, channel_id })),
    );
    if (meant.length > MOST) throw sessionFailure("bad_request", "many_meant", { most: MOST }, { field: "audience" });
    after = found.at(-1)?.id ?? after;
    if (!ids && found.length < PAGE) return meant;
  }
}

function narrowed(tables: Kysely<SessionTables>, { channel_ids, tag, folder, active_days }: Audience, nowMs: number) {
  let rows = tables.selectFrom("sessions").selectAll().where("archived", "=", 0).where("channel_id", "!=", "web");
  if (channel_ids) rows = rows.where("channel_id", "in", channel_ids);
  if (folder) rows = rows.where("folder", "=", folder);
  if (tag) rows = rows.where(contains("fields", JSON.stringify(tag)));
  if (active_days) rows = rows.where("last_message_at", ">=", new Date(nowMs - active_days * DAY_MS).toISOString());
  return rows;
}

function isMeant(session: Session, { kind, tag }: Audience): boolean {
  if (session.conversation_id === null) return false;
  if (tag !== undefined && !session.tags.includes(tag)) return false;
  return kind === "all" || isGroupSession(session) === (kind === "group");
}

/** Whether the channel's lists name who is never answered, and that is them, or their group. */
export function isDenied(session: Session, channels: Channels | undefined): boolean {
  const { conversation_id, user_id } = session;
  const denied = channels?.get(session.channel_id)?.config.deny;
  if (!Array.isArray(denied)) return false;
  return denied.includes(conversation_id) || (!isGroupSession(session) && denied.includes(user_id));
}

/** What people are shown before they begin. */
export function previewOf(meant: readonly Meant[], channels: Channels | undefined): Preview {
  const byChannel = Map.groupBy(meant, ({ channel_id }) => channel_id);
  return {
    total: meant.length,
    channels: [...byChannel].map(([id, some]) => ({
      id,
      count: some.length,
      connected: channels?.get(id)?.enabled === true && channels.link(id) !== undefined,
    })),
    items: meant.slice(0, SHOWN).map(({ id: session_id, name, channel_id }) => ({ session_id, name, channel_id })),
  };
}
