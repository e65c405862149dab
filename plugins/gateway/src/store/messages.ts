import { contains } from "@parley/core";
import type { ExpressionBuilder } from "kysely";
import { getTables, type StoreDeps } from "./statement.ts";
import type { InboxTable, MainTables } from "./tables.ts";

export interface MessageFilter {
  readonly channel_id?: string;
  /** Words that the stored JSON must contain; they may be in another field than the text. */
  readonly words: readonly string[];
  /** Bounds of the trace ids, which begin with their time. */
  readonly from?: string;
  readonly before?: string;
  /** True for messages that ended without an answer, alone. */
  readonly unanswered?: boolean;
}

/** Reads inbound messages in any state. */
export interface MessageStore {
  /** Returns the matching messages, newest first. */
  listNewest(filter: MessageFilter, limit: number): Promise<readonly InboxTable[]>;
}

export function createMessageStore({ main }: Pick<StoreDeps, "main">): MessageStore {
  return {
    async listNewest({ channel_id, words, from, before, unanswered }, limit) {
      let rows = getTables(main).selectFrom("inbox").selectAll();
      if (channel_id !== undefined) rows = rows.where("channel_id", "=", channel_id);
      if (from !== undefined) rows = rows.where("trace_id", ">=", from);
      if (before !== undefined) rows = rows.where("trace_id", "<", before);
      if (unanswered) rows = rows.where(isUnanswered);
      for (const word of words) rows = rows.where(contains("message", word));
      return rows.orderBy("trace_id", "desc").limit(limit).execute();
    },
  };
}

/** Selects messages that ended without an answer; an interrupted answer is one. */
function isUnanswered({ and, or, eb }: ExpressionBuilder<MainTables, "inbox">) {
  const hasCause = and([eb("cause", "is not", null), eb("cause", "!=", "broke_off")]);
  return or([
    eb("state", "in", ["ignored", "skipped", "stopped", "expired", "failed", "dead"]),
    and([eb("state", "=", "done"), hasCause]),
  ]);
}
