import { clampPage, type Database, type List, notFound, type Page, type ToldFailure, type Write } from "@parley/core";
import { type Kysely, sql } from "kysely";
import type { SessionTables } from "../tables.ts";
import type { Meant } from "./audience.ts";
import {
  type Broadcast,
  RECIPIENT_STATES,
  type Recipient,
  type RecipientQuery,
  type RecipientState,
} from "./schema.ts";
import type { BroadcastTable, RecipientTable } from "./tables.ts";

const ROWS_EACH = 100;

export interface StoredBroadcast extends Broadcast {
  readonly run: number;
}

/** Who is to be reached under which trace. */
export interface NewRecipient extends Meant {
  readonly trace_id: string;
}

/** Broadcasts and those they are for, as rows. */
export interface BroadcastStore {
  list(page: Page): Promise<List<StoredBroadcast>>;
  find(id: string): Promise<StoredBroadcast | undefined>;
  /** `not_found` when there is none. */
  get(id: string): Promise<StoredBroadcast>;
  inserts(broadcast: Omit<StoredBroadcast, "counts" | "retriable">, meant: readonly NewRecipient[]): readonly Write[];
  /** Changes how it stands; `conflict` when it stands otherwise than `from` by then. */
  turning(
    from: Pick<StoredBroadcast, "id" | "state" | "run">,
    to: Pick<StoredBroadcast, "state" | "run"> & Partial<Pick<Broadcast, "error">>,
  ): Write;
  removing(id: string): readonly Write[];
  recipients(id: string, query: RecipientQuery): Promise<List<Recipient>>;
  inState(id: string, state: RecipientState, limit: number): Promise<readonly Recipient[]>;
  /** Stands in the write that sends: nothing is sent when it was stopped, or sent, meanwhile. */
  sending(broadcast: Pick<StoredBroadcast, "id" | "run">, recipient: Recipient): readonly Write[];
  /** What became of it. */
  ending(id: string, recipient: Recipient, state: RecipientState, error: ToldFailure | null): Write;
  /** Those that nothing was sent to wait again. */
  waitingAgain(id: string): Write;
}

export function createBroadcastStore(database: () => Database, now: () => string): BroadcastStore {
  const tables = (): Kysely<SessionTables> => database().tables<SessionTables>();
  const rows = () => tables().selectFrom("broadcasts");
  const of = (id: string) => tables().selectFrom("broadcast_recipients").where("broadcast_id", "=", id);
  const change = (id: string) => tables().updateTable("broadcast_recipients").where("broadcast_id", "=", id);
  const withCounts = async (found: readonly BroadcastTable[]) => {
    const counts = await countsOf(
      tables(),
      found.map(({ id }) => id),
    );
    return found.map((row) => broadcastOf(row, counts.get(row.id) ?? []));
  };
  const find = async (id: string) => (await withCounts(await rows().selectAll().where("id", "=", id).execute()))[0];
  return {
    find,
    async get(id) {
      const broadcast = await find(id);
      if (!broadcast) throw notFound("broadcast", id);
      return broadcast;
    },
    async list(given) {
      const page = clampPage(given);
      const [found, all] = await Promise.all([
        rows().selectAll().orderBy("created_at", "desc").orderBy("id").limit(page.limit).offset(page.offset).execute(),
        rows()
          .select((select) => select.fn.countAll<number>().as("count"))
          .executeTakeFirst(),
      ]);
      return { items: await withCounts(found), total: Number(all?.count ?? 0), ...page };
    },
    inserts: ({ audience, error, ...broadcast }, meant) => [
      {
        query: tables()
          .insertInto("broadcasts")
          .values({ ...broadcast, audience: JSON.stringify(audience), error: error && JSON.stringify(error) }),
      },
      ...recipientInserts(tables(), broadcast.id, meant, now()),
    ],
    turning: ({ id, state, run }, { error = null, ...to }) => ({
      query: tables()
        .updateTable("broadcasts")
        .set({ ...to, error: error && JSON.stringify(error), updated_at: now() })
        .where("id", "=", id)
        .where("state", "=", state)
        .where("run", "=", run),
      expect: 1,
    }),
    removing: (id) => [
      { query: tables().deleteFrom("broadcasts").where("id", "=", id).where("state", "!=", "running"), expect: 1 },
      { query: tables().deleteFrom("broadcast_recipients").where("broadcast_id", "=", id) },
    ],
    async recipients(id, { state, ...given }) {
      const page = clampPage(given);
      const some = state ? of(id).where("state", "=", state) : of(id);
      const [found, all] = await Promise.all([
        some.selectAll().orderBy("position").limit(page.limit).offset(page.offset).execute(),
        some.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirst(),
      ]);
      return { items: found.map(recipientOf), total: Number(all?.count ?? 0), ...page };
    },
    async inState(id, state, limit) {
      const found = await of(id).selectAll().where("state", "=", state).orderBy("position").limit(limit).execute();
      return found.map(recipientOf);
    },
    sending: ({ id, run }, { session_id }) => [
      {
        query: tables()
          .updateTable("broadcasts")
          .set({ updated_at: now() })
          .where("id", "=", id)
          .where("run", "=", run)
          .where("state", "=", "running"),
        expect: 1,
      },
      {
        query: change(id)
          .set({ state: "sent", was_sent: 1, error: null, updated_at: now() })
          .where("session_id", "=", session_id)
          .where("state", "=", "waiting"),
        expect: 1,
      },
    ],
    ending: (id, recipient, state, error) => ({
      query: change(id)
        .set({ state, error: error && JSON.stringify(error), updated_at: now() })
        .where("session_id", "=", recipient.session_id)
        .where("state", "=", recipient.state),
    }),
    waitingAgain: (id) => ({
      query: change(id)
        .set({ state: "waiting", error: null, updated_at: now() })
        .where("state", "=", "failed")
        .where("was_sent", "=", 0),
    }),
  };
}

function recipientInserts(
  tables: Kysely<SessionTables>,
  broadcast_id: string,
  meant: readonly NewRecipient[],
  at: string,
) {
  const all = meant.map(({ id: session_id, name, channel_id, trace_id }, position) => ({
    broadcast_id,
    session_id,
    position,
    name,
    channel_id,
    state: "waiting",
    error: null,
    trace_id,
    was_sent: 0,
    updated_at: at,
  }));
  return Array.from({ length: Math.ceil(all.length / ROWS_EACH) }, (_, page) => ({
    query: tables.insertInto("broadcast_recipients").values(all.slice(page * ROWS_EACH, (page + 1) * ROWS_EACH)),
  }));
}

type Counts = readonly { readonly state: string; readonly was_sent: number; readonly count: number }[];

async function countsOf(tables: Kysely<SessionTables>, ids: readonly string[]): Promise<ReadonlyMap<string, Counts>> {
  if (ids.length === 0) return new Map();
  const found = await tables
    .selectFrom("broadcast_recipients")
    .select(["broadcast_id", "state", "was_sent", sql<number | string>`count(*)`.as("count")])
    .where("broadcast_id", "in", ids)
    .groupBy(["broadcast_id", "state", "was_sent"])
    .execute();
  return Map.groupBy(
    found.map((row) => ({ ...row, count: Number(row.count) })),
    ({ broadcast_id }) => broadcast_id,
  );
}

function broadcastOf({ audience, error, state, ...row }: BroadcastTable, counts: Counts): StoredBroadcast {
  const sum = (some: Counts) => some.reduce((all, { count }) => all + count, 0);
  const ofState = (name: RecipientState) => counts.filter((one) => one.state === name);
  return {
    ...row,
    state: state as Broadcast["state"],
    audience: JSON.parse(audience),
    error: error === null ? null : JSON.parse(error),
    counts: Object.fromEntries(RECIPIENT_STATES.map((name) => [name, sum(ofState(name))])) as Broadcast["counts"],
    retriable: sum(ofState("failed").filter(({ was_sent }) => was_sent === 0)),
  };
}

function recipientOf({ session_id, name, channel_id, state, error, trace_id, updated_at }: RecipientTable): Recipient {
  const shown = { session_id, name, channel_id, trace_id, updated_at, state: state as RecipientState };
  return { ...shown, error: error === null ? null : JSON.parse(error) };
}
