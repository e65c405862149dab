import {
  AppError,
  type Clock,
  clampPage,
  type Database,
  fixedStatement,
  type InboundMessage,
  type List,
  notFound,
  type OutboundMessage,
  type Page,
} from "@parley/core";
import { sql } from "kysely";
import type { EventLog } from "./event-log.ts";
import type { StateCounters } from "./state-counters.ts";
import { type Delivery, deliveryOf, type WaitingItem } from "./store.ts";
import type { InboxTable, OutboxTable, TruthTables } from "./tables.ts";

const PREVIEW = 200;
/** An operator's own send may be late. */
const RETRY_TTL_MS = 6 * 3_600_000;
const MOST_AT_ONCE = 500;

export type SuggestedAction = "retry" | "fix_config" | "review_duplicate" | "none";

/** Something that was given up and waits for a person (gateway-delivery D1). */
export interface DeadLetter {
  readonly item_id: string;
  readonly kind: "inbound" | "delivery";
  readonly channel_id: string;
  readonly conversation_id: string;
  readonly session_id: string;
  readonly trace_id: string;
  readonly cause: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly preview: string;
  readonly suggested_action: SuggestedAction;
}

export interface DeadLetterQuery extends Page {
  readonly channel_id?: string;
  readonly cause?: string;
}

/** The list a person works off. Each row of it is either tried again or put aside, once. */
export interface DeadLetters {
  list(query: DeadLetterQuery): Promise<List<DeadLetter>>;
  /** `not_found` for an id of nothing; `conflict` when it is not dead any more; `confirmation_required` when it may arrive twice. */
  retry(
    itemId: string,
    isConfirmed: boolean,
    by: string,
  ): Promise<{ readonly item_id: string; readonly status: "pending" }>;
  /** Puts aside what matches; gives how many. `not_found` for an id that is not on the list. */
  discard(
    what: { readonly item_id: string } | Omit<DeadLetterQuery, keyof Page>,
    reason: string,
    by: string,
  ): Promise<number>;
}

export interface DeadLettersParts {
  readonly database: () => Database;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly counters: StateCounters;
  /** Takes a delivery that is pending again. */
  readonly resend: (delivery: Delivery) => void;
  /** Takes a message that waits again. */
  readonly rerun: (item: WaitingItem) => void;
}

const ACTIONS: Readonly<Record<string, SuggestedAction>> = {
  outcome_unknown: "review_duplicate",
  no_sender: "fix_config",
  auth: "fix_config",
  permanent: "none",
  payload: "none",
};
const RESEND = `update outbox set state = 'pending', attempts = 0, throttles = 0, next_ms = ?, expires_ms = ?, updated_ms = ?
  where id = ? and state = 'dead' and reviewed_ms is null returning *`;
const RERUN = `update inbox set state = 'waiting', runs = 0, received_ms = ?, updated_ms = ?
  where id = ? and state = 'dead' and reviewed_ms is null returning *`;

interface Row {
  readonly kind: "inbound" | "delivery";
  readonly id: string;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly session_id: string;
  readonly conversation_id: string | null;
  readonly cause: string | null;
  readonly error: string | null;
  readonly attempts: number;
  readonly first_ms: number;
  readonly updated_ms: number;
  readonly message: string;
}

export function createDeadLetters(parts: DeadLettersParts): DeadLetters {
  const { database, clock, log, counters, resend, rerun } = parts;
  const letters = ({ channel_id, cause }: Omit<DeadLetterQuery, keyof Page>) => {
    const tables = database().tables<TruthTables>();
    const inbound = tables
      .selectFrom("inbox")
      .select(["id", "trace_id", "channel_id", "session_id", "cause", "updated_ms", "message"])
      .select([sql<Row["kind"]>`'inbound'`.as("kind"), sql<string | null>`null`.as("conversation_id")])
      .select([sql<string | null>`null`.as("error"), "runs as attempts", "received_ms as first_ms"])
      .where("state", "=", "dead")
      .where("reviewed_ms", "is", null);
    const deliveries = tables
      .selectFrom("outbox")
      .select(["id", "trace_id", "channel_id", "session_id", "cause", "updated_ms", "message"])
      .select([sql<Row["kind"]>`'delivery'`.as("kind"), "conversation_id"])
      .select(["error", "attempts", "created_ms as first_ms"])
      .where("state", "=", "dead")
      .where("reviewed_ms", "is", null);
    let rows = tables.selectFrom(inbound.unionAll(deliveries as never).as("letters"));
    if (channel_id !== undefined) rows = rows.where("channel_id", "=", channel_id);
    if (cause !== undefined) rows = rows.where("cause", "=", cause);
    return rows;
  };
  const find = async (itemId: string): Promise<Row | undefined> =>
    letters({}).selectAll().where("id", "=", itemId).executeTakeFirst();
  /** Whether there is a message or an answer of that id, whatever has become of it. */
  const wasTaken = async (itemId: string): Promise<boolean> => {
    const tables = database().tables<TruthTables>();
    const inbound = tables.selectFrom("inbox").select("id").where("id", "=", itemId);
    const outbound = tables.selectFrom("outbox").select("id").where("id", "=", itemId);
    return (await inbound.unionAll(outbound).execute()).length > 0;
  };
  const note = (row: Pick<Row, "trace_id" | "channel_id" | "kind" | "id">, status: string, message: string) => ({
    traceId: row.trace_id,
    status,
    message,
    channelId: row.channel_id,
    ...(row.kind === "delivery" ? { deliveryId: row.id } : { itemId: row.id }),
  });

  return {
    async list(query) {
      const page = clampPage(query);
      const rows = letters(query);
      const [items, count] = await Promise.all([
        rows.selectAll().orderBy("updated_ms", "desc").orderBy("id").limit(page.limit).offset(page.offset).execute(),
        rows.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirst(),
      ]);
      return { items: items.map(letterOf), total: Number(count?.count ?? 0), ...page };
    },
    async retry(itemId, isConfirmed, by) {
      const row = await find(itemId);
      if (!row) {
        if (!(await wasTaken(itemId))) throw notFound("dead letter", itemId);
        throw new AppError(
          "conflict",
          `${itemId} is not on the list of what was given up: it may be tried again already`,
        );
      }
      if (row.cause === "outcome_unknown" && !isConfirmed) {
        throw new AppError("confirmation_required", "it may have arrived: tried again, it may be seen twice");
      }
      const now = clock.now();
      if (row.kind === "delivery") {
        const query = fixedStatement(RESEND, [now, now + RETRY_TTL_MS, now, itemId]);
        const [changed] = await database().write([{ query, expect: 1 }]);
        counters.deliveries.change(itemId, "pending", { from: "dead" });
        resend(deliveryOf(changed?.rows[0] as OutboxTable));
      } else {
        const query = fixedStatement(RERUN, [now, now, itemId]);
        const [changed] = await database().write([{ query, expect: 1 }]);
        counters.items.change(itemId, "waiting", { from: "dead" });
        rerun(itemOf(changed?.rows[0] as InboxTable, clock.monotonic()));
      }
      log.add(note(row, "retried", `tried again by ${by}`));
      return { item_id: itemId, status: "pending" };
    },
    async discard(what, reason, by) {
      const rows = letters("item_id" in what ? {} : what)
        .selectAll()
        .limit(MOST_AT_ONCE);
      const some = await ("item_id" in what ? rows.where("id", "=", what.item_id) : rows).execute();
      if ("item_id" in what && some.length === 0) throw notFound("dead letter", what.item_id);
      const now = clock.now();
      const marks = some.map(({ kind, id }) => {
        const table = kind === "delivery" ? "outbox" : "inbox";
        const text = `update ${table} set reviewed_ms = ? where id = ? and state = 'dead' and reviewed_ms is null`;
        return { query: fixedStatement(text, [now, id]) };
      });
      await database().write(marks);
      for (const row of some) log.add(note(row, "discarded", `put aside by ${by}: ${reason}`));
      return some.length;
    },
  };
}

function letterOf(row: Row): DeadLetter {
  const message = JSON.parse(row.message) as InboundMessage | OutboundMessage;
  const cause = row.cause ?? "unknown";
  return {
    item_id: row.id,
    kind: row.kind,
    channel_id: row.channel_id,
    conversation_id: row.conversation_id ?? message.conversation.id,
    session_id: row.session_id,
    trace_id: row.trace_id,
    cause,
    error: row.error,
    attempts: row.attempts,
    first_at: new Date(Number(row.first_ms)).toISOString(),
    last_at: new Date(Number(row.updated_ms)).toISOString(),
    preview: message.text.slice(0, PREVIEW),
    suggested_action: ACTIONS[cause] ?? "retry",
  };
}

function itemOf({ id, trace_id, channel_id, session_id }: InboxTable, sinceMs: number): WaitingItem {
  return { id, traceId: trace_id, channelId: channel_id, sessionId: session_id, sinceMs, isFirst: false };
}
