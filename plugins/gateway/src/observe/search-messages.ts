import { type InboundMessage, newTraceId, type Redaction, type UnansweredReason } from "@parley/core";
import type { MessageStore } from "../store/messages.ts";
import type { InboxState, InboxTable } from "../store/tables.ts";
import { toUnansweredReason } from "../turn/unanswered-reason.ts";

const PAGE_ROWS = 200;
/** Maximum number of rows scanned for one page; the next page continues from there. */
const MAX_SCANNED_ROWS = 20_000;
const MAX_TEXT_CHARS = 300;
/** Length of `gw_<date>_<time>`, with which trace ids begin. */
const TRACE_TIME_LENGTH = "gw_20261122_120000".length;

export interface MessageQuery {
  /** Part of the message's text. */
  readonly q?: string;
  /** Part of the sender's name or id. */
  readonly sender?: string;
  readonly channel_id?: string;
  /** Beginning of the period, ISO 8601 UTC to the second. `until` is exclusive. */
  readonly since?: string;
  readonly until?: string;
  /** True finds only messages without an answer. */
  readonly unanswered?: boolean;
  readonly cursor?: string;
  readonly limit?: number;
}

/** A received message in the search results. */
export interface TracedMessage {
  readonly item_id: string;
  readonly trace_id: string;
  readonly session_id: string;
  readonly channel_id: string;
  readonly conversation_id: string;
  readonly sender: { readonly id: string; readonly name: string };
  /** Beginning of the text, masked as in logs. */
  readonly text: string;
  readonly state: InboxState;
  readonly cause: string | null;
  /** Reason for which it has no answer; null while it waits, and for an answered one. */
  readonly unanswered_reason: UnansweredReason | null;
  readonly created_at: string;
}

export interface TracedMessages {
  readonly items: readonly TracedMessage[];
  /** Cursor of the next page; null at the end. A page that is not full may have a next page. */
  readonly next_cursor: string | null;
}

export interface SearchMessagesDeps {
  readonly store: MessageStore;
  readonly redaction: Pick<Redaction, "mask">;
}

interface Match {
  readonly position: number;
  readonly message: TracedMessage;
}

/** Searches messages by text, sender, channel and time, newest first to the second. */
export async function searchMessages(
  { store, redaction }: SearchMessagesDeps,
  { q = "", sender = "", channel_id, since, until, unanswered = false, cursor, limit = 50 }: MessageQuery,
): Promise<TracedMessages> {
  const filter = {
    ...(channel_id !== undefined && { channel_id }),
    ...(since !== undefined && { from: toTracePrefix(since) }),
    unanswered,
    words: [q, sender].filter((word) => word !== "").map(toJsonText),
  };
  const matches: Match[] = [];
  const page = (next_cursor: string | null): TracedMessages => ({
    // Ids sort by second; within a second, by order of acceptance.
    items: matches.toSorted((a, b) => b.position - a.position).map(({ message }) => message),
    next_cursor,
  });
  let before = cursor ?? (until === undefined ? undefined : toTracePrefix(until));
  for (let scannedCount = 0; ; scannedCount += PAGE_ROWS) {
    if (scannedCount >= MAX_SCANNED_ROWS) return page(before ?? null);
    const rows = await store.listNewest({ ...filter, ...(before !== undefined && { before }) }, PAGE_ROWS);
    for (const row of rows) {
      const message = JSON.parse(row.message) as InboundMessage;
      // The stored JSON may contain the text in another field.
      if (
        !containsText(message.text, q) ||
        !(containsText(message.sender.name, sender) || containsText(message.sender.id, sender))
      )
        continue;
      if (matches.length === limit) return page(matches.at(-1)?.message.trace_id ?? null);
      matches.push({ position: Number(row.position), message: toTracedMessage(row, message, redaction) });
    }
    before = rows.at(-1)?.trace_id;
    if (rows.length < PAGE_ROWS) return page(null);
  }
}

function toTracedMessage(row: InboxTable, message: InboundMessage, redaction: Pick<Redaction, "mask">): TracedMessage {
  const { conversation, sender, text } = message;
  return {
    item_id: row.id,
    trace_id: row.trace_id,
    session_id: row.session_id,
    channel_id: row.channel_id,
    conversation_id: conversation.id,
    sender: { id: sender.id, name: sender.name },
    text: redaction.mask(text).slice(0, MAX_TEXT_CHARS),
    state: row.state,
    cause: row.cause,
    unanswered_reason: toUnansweredReason(row),
    created_at: new Date(Number(row.received_ms)).toISOString(),
  };
}

function containsText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** Returns the text as it occurs in JSON, without quotation marks. */
function toJsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function toTracePrefix(iso: string): string {
  return newTraceId(Date.parse(iso)).slice(0, TRACE_TIME_LENGTH);
}
