import { type Channels, contains, isGroupSession, type Session } from "@parley/core";
import type { Kysely } from "kysely";
import { fromSessionRow } from "../store/rows.ts";
import type { SessionTables } from "../store/tables.ts";
import { sessionsTexts } from "../texts.ts";
import type { Audience, Preview } from "./schema.ts";

/** Maximum recipients of a broadcast. */
const MAX_RECIPIENTS = 10_000;
const PAGE_SIZE = 500;
const PREVIEW_COUNT = 20;
const DAY_MS = 86_400_000;

export type TargetSession = Pick<Session, "id" | "name" | "channel_id">;

interface AudienceDeps {
  readonly tables: Kysely<SessionTables>;
  readonly channels: Channels | undefined;
  readonly nowMs: number;
}

/** Returns the matching channel conversations in order of their ids, without archived and denied ones. */
export async function resolveAudience(
  { tables, channels, nowMs }: AudienceDeps,
  audience: Audience,
): Promise<TargetSession[]> {
  const targets: TargetSession[] = [];
  const sessionIds = audience.session_ids ? [...audience.session_ids].sort() : undefined;
  for (let after = "", offset = 0; ; offset += PAGE_SIZE) {
    const ids = sessionIds?.slice(offset, offset + PAGE_SIZE);
    if (ids?.length === 0) return targets;
    let rows = selectCandidates(tables, audience, nowMs).orderBy("id").limit(PAGE_SIZE);
    rows = ids ? rows.where("id", "in", ids) : rows.where("id", ">", after);
    const found = await rows.execute();
    const sessions = found.map((row) => fromSessionRow(row, false, nowMs));
    targets.push(
      ...sessions
        .filter((session) => matchesAudience(session, audience) && !isDenied(session, channels))
        .map(({ id, name, channel_id }) => ({ id, name, channel_id })),
    );
    if (targets.length > MAX_RECIPIENTS)
      throw sessionsTexts.error("bad_request", "many_meant", { most: MAX_RECIPIENTS }, { field: "audience" });
    after = found.at(-1)?.id ?? after;
    if (!ids && found.length < PAGE_SIZE) return targets;
  }
}

function selectCandidates(
  tables: Kysely<SessionTables>,
  { channel_ids, tag, folder, active_days }: Audience,
  nowMs: number,
) {
  let rows = tables.selectFrom("sessions").selectAll().where("archived", "=", 0).where("channel_id", "!=", "web");
  if (channel_ids) rows = rows.where("channel_id", "in", channel_ids);
  if (folder) rows = rows.where("folder", "=", folder);
  if (tag) rows = rows.where(contains("fields", JSON.stringify(tag)));
  if (active_days) rows = rows.where("last_message_at", ">=", new Date(nowMs - active_days * DAY_MS).toISOString());
  return rows;
}

function matchesAudience(session: Session, { kind, tag }: Audience): boolean {
  if (session.conversation_id === null) return false;
  if (tag !== undefined && !session.tags.includes(tag)) return false;
  return kind === "all" || isGroupSession(session) === (kind === "group");
}

/** True when the channel's deny list contains the conversation, or the user of a private one. */
export function isDenied(session: Session, channels: Channels | undefined): boolean {
  const { conversation_id, user_id } = session;
  const denied = channels?.get(session.channel_id)?.config.deny;
  if (!Array.isArray(denied)) return false;
  return denied.includes(conversation_id) || (!isGroupSession(session) && denied.includes(user_id));
}

export function toPreview(targets: readonly TargetSession[], channels: Channels | undefined): Preview {
  const byChannel = Map.groupBy(targets, ({ channel_id }) => channel_id);
  return {
    total: targets.length,
    channels: [...byChannel].map(([id, sessions]) => ({
      id,
      count: sessions.length,
      connected: channels?.get(id)?.enabled === true && channels.link(id) !== undefined,
    })),
    items: targets
      .slice(0, PREVIEW_COUNT)
      .map(({ id: session_id, name, channel_id }) => ({ session_id, name, channel_id })),
  };
}
