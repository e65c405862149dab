import type { Write } from "@parley/core";
import type { List, Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import { sql } from "kysely";
import type { Delivery } from "./delivery.ts";
import { toDelivery } from "./outbox.ts";
import { createStatement, getTables, type StoreDeps } from "./statement.ts";
import type { InboxTable, OutboxTable } from "./tables.ts";

/** Lifetime of a delivery that an operator retries, counted from the retry. */
const RETRY_TTL_MS = 6 * 3_600_000;
const MAX_BATCH = 500;
const RESEND = `update outbox set state = 'pending', attempts = 0, throttles = 0, next_ms = ?, expires_ms = ?, updated_ms = ?, holder = null,
  stopped_by = null where id = ? and state = 'dead' and reviewed_ms is null returning *`;
const RERUN = `update inbox set state = 'waiting', runs = 0, received_ms = ?, updated_ms = ?, holder = null
  where id = ? and state = 'dead' and reviewed_ms is null returning *`;

/** A dead-lettered message or delivery. */
export interface DeadLetterRow {
  readonly kind: "inbound" | "delivery";
  readonly id: string;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly session_id: string;
  readonly conversation_id: string | null;
  readonly cause: string | null;
  readonly error: string | null;
  readonly error_detail: string | null;
  readonly attempts: number;
  readonly first_ms: number;
  readonly updated_ms: number;
  readonly message: string;
}

export interface DeadLetterFilter {
  readonly channel_id?: string;
  readonly session_id?: string;
  readonly cause?: string;
}

/** Dead letters that nobody has discarded, inbound and outbound. */
export interface DeadLetterStore {
  page(query: DeadLetterFilter, page: Page): Promise<List<DeadLetterRow>>;
  find(itemId: string): Promise<DeadLetterRow | undefined>;
  /** Returns those of the ids that are still listed, in the order in which their messages were accepted. */
  sortOldestFirst(itemIds: readonly string[]): Promise<readonly string[]>;
  /** True when a message or delivery with this id exists, in any state. */
  exists(itemId: string): Promise<boolean>;
  /** Makes a dead delivery pending and stores `together`; `rerun` makes a dead message waiting. Both: `conflict` unless it is listed. */
  resend(itemId: string, together?: readonly Write[]): Promise<Delivery>;
  rerun(itemId: string): Promise<InboxTable>;
  /** Marks matching dead letters as reviewed, a limited number at a time, and returns them. */
  discard(what: DeadLetterFilter & { readonly item_ids?: readonly string[] }): Promise<readonly DeadLetterRow[]>;
}

export function createDeadLetterStore({ main, clock }: StoreDeps): DeadLetterStore {
  const updateOne = async <Row>(text: string, parameters: readonly unknown[], together: readonly Write[] = []) => {
    const [result] = await main().write([createStatement(text, parameters, { expect: 1 }), ...together]);
    return result?.rows[0] as Row;
  };
  return {
    find: (itemId) => selectDeadLetters(main, {}).selectAll().where("id", "=", itemId).executeTakeFirst(),
    async sortOldestFirst(itemIds) {
      const rows = selectDeadLetters(main, {})
        .select("id")
        .where("id", "in", [...itemIds]);
      return (await rows.orderBy("first_ms").orderBy("id").execute()).map(({ id }) => id);
    },
    async exists(itemId) {
      const tables = getTables(main);
      const inbound = tables.selectFrom("inbox").select("id").where("id", "=", itemId);
      const outbound = tables.selectFrom("outbox").select("id").where("id", "=", itemId);
      return (await inbound.unionAll(outbound).execute()).length > 0;
    },
    async page(query, page) {
      return readPage(selectDeadLetters(main, query), page, (rows) =>
        rows.selectAll().orderBy("updated_ms", "desc").orderBy("id"),
      );
    },
    async resend(itemId, together) {
      const now = clock.now();
      return toDelivery(await updateOne<OutboxTable>(RESEND, [now, now + RETRY_TTL_MS, now, itemId], together));
    },
    async rerun(itemId) {
      const now = clock.now();
      return updateOne<InboxTable>(RERUN, [now, now, itemId]);
    },
    async discard({ item_ids, ...query }) {
      const rows = selectDeadLetters(main, query).selectAll().limit(MAX_BATCH);
      const letters = await (item_ids === undefined ? rows : rows.where("id", "in", [...item_ids])).execute();
      const marks = letters.map(({ kind, id }) => {
        const table = kind === "delivery" ? "outbox" : "inbox";
        const text = `update ${table} set reviewed_ms = ? where id = ? and state = 'dead' and reviewed_ms is null`;
        return createStatement(text, [clock.now(), id]);
      });
      await main().write(marks);
      return letters;
    },
  };
}

/** Selects the matching messages and deliveries as one table. */
function selectDeadLetters(main: StoreDeps["main"], { channel_id, session_id, cause }: DeadLetterFilter) {
  const tables = getTables(main);
  const inbound = tables
    .selectFrom("inbox")
    .select(["id", "trace_id", "channel_id", "session_id", "cause", "updated_ms", "message"])
    .select([sql<DeadLetterRow["kind"]>`'inbound'`.as("kind"), sql<string | null>`null`.as("conversation_id")])
    .select([sql<string | null>`null`.as("error"), sql<string | null>`null`.as("error_detail")])
    .select(["runs as attempts", "received_ms as first_ms"])
    .where("state", "=", "dead")
    .where("reviewed_ms", "is", null);
  const deliveries = tables
    .selectFrom("outbox")
    .select(["id", "trace_id", "channel_id", "session_id", "cause", "updated_ms", "message"])
    .select([sql<DeadLetterRow["kind"]>`'delivery'`.as("kind"), "conversation_id"])
    .select(["error", "error_detail"])
    .select(["attempts", "created_ms as first_ms"])
    .where("state", "=", "dead")
    .where("reviewed_ms", "is", null);
  let rows = tables.selectFrom(inbound.unionAll(deliveries as never).as("letters"));
  if (channel_id !== undefined) rows = rows.where("channel_id", "=", channel_id);
  if (session_id !== undefined) rows = rows.where("session_id", "=", session_id);
  if (cause !== undefined) rows = rows.where("cause", "=", cause);
  return rows;
}
