import type { BroadcastTable, RecipientTable } from "../broadcasts/tables.ts";

/** `live` is the visible conversation, `archive` has compressed messages, any other place is a branch's id. */
export type Place = "live" | "archive" | `branch_${string}`;

export interface SessionTable {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly channel_id: string;
  readonly character_id: string | null;
  /** Ids of several characters as a JSON list, the first of them in `character_id` too; empty for none or one. */
  readonly character_ids: string;
  readonly favorite: number;
  readonly pinned: number;
  readonly archived: number;
  readonly message_count: number;
  /** Number of live messages that are neither hidden nor system messages. */
  readonly visible_count: number;
  readonly archived_count: number;
  /** Id of the newest live message of any kind. */
  readonly last_id: string | null;
  readonly last_role: string | null;
  readonly last_sender: string | null;
  /** First 100 characters of its text. */
  readonly last_preview: string | null;
  readonly last_message_at: string | null;
  /** 1 when a person chose the name, so that no generated title replaces it. */
  readonly is_named: number;
  readonly custom_prompt: string | null;
  readonly custom_prompt_at: string | null;
  /** Unix time in milliseconds; null while it is not published. */
  readonly public_until: number | string | null;
  /** Name of the folder; empty when the session is in none. */
  readonly folder: string;
  /** 1 for a temporary session, which is deleted when its user leaves it. */
  readonly is_temporary: number;
  /** The other fields as JSON. */
  readonly fields: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: number;
}

export interface MessageTable {
  readonly id: string;
  readonly session_id: string;
  readonly seq: number;
  readonly place: string;
  readonly role: string;
  readonly kind: string;
  readonly hidden: number;
  readonly sender: string;
  readonly content: string;
  readonly timestamp: string;
  readonly trace_id: string | null;
  readonly platform_message_id: string | null;
  /** Rating of a reply, `good` or `bad`; null without a rating. */
  readonly rating: string | null;
  /** The other fields as JSON. */
  readonly fields: string;
  readonly revision: number;
}

/** A branch: an end of the conversation that was replaced. */
export interface BranchTable {
  readonly id: string;
  readonly session_id: string;
  /** Id of the message before the branch; null at the start of the conversation. */
  readonly after_id: string | null;
  /** State of the character when the branch was left, as JSON. */
  readonly state: string | null;
  readonly created_at: string;
}

export interface CountTable {
  readonly hour: string;
  readonly channel_id: string;
  readonly role: string;
  readonly count: number;
}

export interface FavoriteTable {
  readonly id: string;
  readonly session_id: string;
  readonly title: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Copies of the messages as JSON. */
  readonly messages: string;
}

export interface TimelineTable {
  readonly id: string;
  readonly session_id: string;
  readonly character_id: string;
  readonly timestamp: string;
  /** The whole entry as JSON. */
  readonly entry: string;
}

export interface SessionTables {
  readonly sessions: SessionTable;
  readonly messages: MessageTable;
  readonly message_branches: BranchTable;
  readonly message_counts: CountTable;
  readonly message_favorites: FavoriteTable;
  readonly runtime_timeline: TimelineTable;
  readonly broadcasts: BroadcastTable;
  readonly broadcast_recipients: RecipientTable;
}

/** Length of a message preview in characters. */
export const PREVIEW_LENGTH = 100;
const toNewestMessageColumn = (column: string) =>
  `(select ${column} from messages where session_id = sessions.id and place = 'live' order by seq desc limit 1)`;
/** Assignments of `update sessions set` that recompute the newest message. */
export const LAST_MESSAGE_ASSIGNMENTS = `last_id = ${toNewestMessageColumn("id")}, last_role = ${toNewestMessageColumn("role")}, last_sender = ${toNewestMessageColumn("sender")},
  last_preview = ${toNewestMessageColumn(`substr(content, 1, ${PREVIEW_LENGTH})`)}, last_message_at = ${toNewestMessageColumn("timestamp")}`;
