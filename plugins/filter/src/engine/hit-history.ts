import {
  type Clock,
  contains,
  type Database,
  derivedId,
  type LiveEvents,
  type Migration,
  type RecordPart,
  resourceChanged,
  type Settings,
  type Turn,
  withEffects,
} from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import { type List, mapItems, type Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { Target } from "../rules/rule-set.ts";
import { HISTORY_DAYS, HISTORY_MOST } from "../settings.ts";

const MAX_TEXT_CHARS = 500;
const DAY_MS = 86_400_000;

/** A message that rules changed or blocked. */
export interface FilterHit {
  readonly id: string;
  readonly created_at: string;
  readonly session_id: string;
  readonly channel: string;
  /** Author of the text: the user or the AI. */
  readonly direction: Target;
  readonly blocked: boolean;
  readonly sender: string;
  readonly rules: readonly string[];
  readonly trace_id: string;
  /** Beginning of the original text; null for callers without the right to read it. */
  readonly text: string | null;
}

interface HitRow extends Omit<FilterHit, "blocked" | "rules"> {
  readonly blocked: number;
  readonly rules: string;
}
interface HistoryTables {
  readonly filter_history: HitRow;
}

export const historyMigrations: readonly Migration[] = [
  {
    id: "002-history",
    async up(db) {
      await db.schema
        .createTable("filter_history")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("channel", "text", (column) => column.notNull())
        .addColumn("direction", "text", (column) => column.notNull())
        .addColumn("blocked", "integer", (column) => column.notNull())
        .addColumn("sender", "text", (column) => column.notNull())
        .addColumn("rules", "text", (column) => column.notNull())
        .addColumn("trace_id", "text", (column) => column.notNull())
        .addColumn("text", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("filter_history_time").on("filter_history").columns(["created_at", "id"]).execute();
      await db.schema
        .createIndex("filter_history_session")
        .on("filter_history")
        .columns(["session_id", "created_at"])
        .execute();
    },
  },
];

export interface HistoryQuery extends Page {
  readonly rule?: string;
  readonly session_id?: string;
  readonly blocked?: boolean;
  readonly since?: string;
  readonly until?: string;
}

/** The history of messages that rules changed or blocked, newest first. */
export interface HitHistory {
  /** Returns the turn with an effect that stores the hit, whatever the turn's outcome; `index` is that of the reply. */
  recordHit(turn: Turn, hit: Pick<FilterHit, "direction" | "blocked" | "rules">, text: string, index?: number): Turn;
  page(query: HistoryQuery): Promise<List<FilterHit>>;
  clear(): Promise<number>;
  /** Removes hits beyond the configured age and number; returns how many were removed. */
  prune(): Promise<number>;
  /** Deletes the hits of deleted sessions. */
  readonly sessionPart: RecordPart;
}

export interface HistoryDeps {
  readonly database: () => Database;
  readonly settings: Pick<Settings, "get">;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createHitHistory({ database, settings, events, clock }: HistoryDeps): HitHistory {
  const tables = () => database().tables<HistoryTables>();
  const remove = () => tables().deleteFrom("filter_history");
  const executeDelete = async (query: ReturnType<typeof remove>) => {
    const [result] = await database().write([{ query }]);
    return result?.changes ?? 0;
  };
  const publishChange = (id: string, action: "created" | "deleted") =>
    events.publish(resourceChanged("filter_hit", id, action));
  return {
    recordHit(turn, { direction, blocked, rules }, text, index = 0) {
      if (settings.get(HISTORY_MOST) === 0) return turn;
      const { session, inbound, traceId } = turn;
      const row: HitRow = {
        // The id derives from the turn, so that a repeated turn records the same hit.
        id: derivedId("hit", traceId, direction, String(index)),
        created_at: new Date(clock.now()).toISOString(),
        session_id: session.id,
        channel: session.channel_id,
        direction,
        blocked: Number(blocked),
        sender: direction === "user" ? inbound.sender.name || inbound.sender.id : "",
        rules: JSON.stringify(rules),
        trace_id: traceId,
        text: truncateWithEllipsis(text, MAX_TEXT_CHARS),
      };
      const query = tables()
        .insertInto("filter_history")
        .values(row)
        .onConflict((on) => on.column("id").doNothing());
      return withEffects(turn, { isEarly: true, writes: [{ query }], applied: () => publishChange(row.id, "created") });
    },
    async page({ rule, session_id, blocked, since, until, ...asked }) {
      let rows = tables().selectFrom("filter_history");
      if (rule !== undefined) rows = rows.where(contains("rules", JSON.stringify(rule)));
      if (session_id !== undefined) rows = rows.where("session_id", "=", session_id);
      if (blocked !== undefined) rows = rows.where("blocked", "=", Number(blocked));
      if (since !== undefined) rows = rows.where("created_at", ">=", since);
      if (until !== undefined) rows = rows.where("created_at", "<=", until);
      const page = await readPage(rows, asked, (all) =>
        all.selectAll().orderBy("created_at", "desc").orderBy("id", "desc"),
      );
      return mapItems(page, toFilterHit);
    },
    async clear() {
      const gone = await executeDelete(remove());
      publishChange("*", "deleted");
      return gone;
    },
    async prune() {
      const before = new Date(clock.now() - settings.get(HISTORY_DAYS) * DAY_MS).toISOString();
      const old = await executeDelete(remove().where("created_at", "<", before));
      const last = await tables()
        .selectFrom("filter_history")
        .select(["created_at", "id"])
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .offset(settings.get(HISTORY_MOST))
        .executeTakeFirst();
      if (!last) return old;
      const more = remove().where((row) =>
        row.or([
          row("created_at", "<", last.created_at),
          row.and([row("created_at", "=", last.created_at), row("id", "<=", last.id)]),
        ]),
      );
      return old + (await executeDelete(more));
    },
    sessionPart: {
      id: "filter.history",
      of: "session",
      removed: async (id) => [{ query: remove().where("session_id", "=", id) }],
    },
  };
}

function toFilterHit({ blocked, rules, ...row }: HitRow): FilterHit {
  return { ...row, blocked: blocked === 1, rules: JSON.parse(rules) as readonly string[] };
}
