import { type Database, type LocalizedError, notFound, type Write } from "@parley/core";
import { type List, mapItems, type Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import { type Kysely, sql } from "kysely";
import type { SessionTables } from "../store/tables.ts";
import type { TargetSession } from "./audience.ts";
import {
  type Broadcast,
  RECIPIENT_STATES,
  type Recipient,
  type RecipientQuery,
  type RecipientState,
} from "./schema.ts";
import type { BroadcastTable, RecipientTable } from "./tables.ts";

const INSERT_BATCH_SIZE = 100;

export interface StoredBroadcast extends Broadcast {
  readonly run: number;
}

/** A recipient and the trace id of its message. */
export interface NewRecipient extends TargetSession {
  readonly trace_id: string;
}

/** Stores broadcasts and their recipients. */
export interface BroadcastStore {
  list(page: Page): Promise<List<StoredBroadcast>>;
  find(id: string): Promise<StoredBroadcast | undefined>;
  /** Returns a broadcast; rejects with `not_found` for an unknown id. */
  get(id: string): Promise<StoredBroadcast>;
  insertWrites(
    broadcast: Omit<StoredBroadcast, "counts" | "retriable">,
    targets: readonly NewRecipient[],
  ): readonly Write[];
  /** Returns the write that changes the state; it fails with `conflict` when the current state is not `from`. */
  transitionWrite(
    from: Pick<StoredBroadcast, "id" | "state" | "run">,
    to: Pick<StoredBroadcast, "state" | "run"> & Partial<Pick<Broadcast, "error">>,
  ): Write;
  deleteWrites(id: string): readonly Write[];
  recipients(id: string, query: RecipientQuery): Promise<List<Recipient>>;
  findByState(id: string, state: RecipientState, limit: number): Promise<readonly Recipient[]>;
  /** Returns the writes that mark a recipient as sent; they abort if the broadcast or recipient has ended. */
  markSentWrites(broadcast: Pick<StoredBroadcast, "id" | "run">, recipient: Recipient): readonly Write[];
  outcomeWrite(id: string, recipient: Recipient, state: RecipientState, error: LocalizedError | null): Write;
  /** Returns the write that queues failed recipients again to whom nothing was sent. */
  requeueFailedWrite(id: string): Write;
}

export function createBroadcastStore(database: () => Database, now: () => string): BroadcastStore {
  const tables = (): Kysely<SessionTables> => database().tables<SessionTables>();
  const rows = () => tables().selectFrom("broadcasts");
  const selectRecipients = (id: string) => tables().selectFrom("broadcast_recipients").where("broadcast_id", "=", id);
  const updateRecipients = (id: string) => tables().updateTable("broadcast_recipients").where("broadcast_id", "=", id);
  const withCounts = async (found: readonly BroadcastTable[]) => {
    const counts = await loadCounts(
      tables(),
      found.map(({ id }) => id),
    );
    return found.map((row) => fromBroadcastRow(row, counts.get(row.id) ?? []));
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
      const { items, ...page } = await readPage(rows(), given, (all) =>
        all.selectAll().orderBy("created_at", "desc").orderBy("id"),
      );
      return { items: await withCounts(items), ...page };
    },
    insertWrites: ({ audience, error, ...broadcast }, targets) => [
      {
        query: tables()
          .insertInto("broadcasts")
          .values({ ...broadcast, audience: JSON.stringify(audience), error: error && JSON.stringify(error) }),
      },
      ...createRecipientInsertWrites(tables(), broadcast.id, targets, now()),
    ],
    transitionWrite: ({ id, state, run }, { error = null, ...to }) => ({
      query: tables()
        .updateTable("broadcasts")
        .set({ ...to, error: error && JSON.stringify(error), updated_at: now() })
        .where("id", "=", id)
        .where("state", "=", state)
        .where("run", "=", run),
      expect: 1,
    }),
    deleteWrites: (id) => [
      { query: tables().deleteFrom("broadcasts").where("id", "=", id).where("state", "!=", "running"), expect: 1 },
      { query: tables().deleteFrom("broadcast_recipients").where("broadcast_id", "=", id) },
    ],
    async recipients(id, { state, ...given }) {
      const some = state ? selectRecipients(id).where("state", "=", state) : selectRecipients(id);
      return mapItems(await readPage(some, given, (all) => all.selectAll().orderBy("position")), fromRecipientRow);
    },
    async findByState(id, state, limit) {
      const found = await selectRecipients(id)
        .selectAll()
        .where("state", "=", state)
        .orderBy("position")
        .limit(limit)
        .execute();
      return found.map(fromRecipientRow);
    },
    markSentWrites: ({ id, run }, { session_id }) => [
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
        query: updateRecipients(id)
          .set({ state: "sent", was_sent: 1, error: null, updated_at: now() })
          .where("session_id", "=", session_id)
          .where("state", "=", "waiting"),
        expect: 1,
      },
    ],
    outcomeWrite: (id, recipient, state, error) => ({
      query: updateRecipients(id)
        .set({ state, error: error && JSON.stringify(error), updated_at: now() })
        .where("session_id", "=", recipient.session_id)
        .where("state", "=", recipient.state),
    }),
    requeueFailedWrite: (id) => ({
      query: updateRecipients(id)
        .set({ state: "waiting", error: null, updated_at: now() })
        .where("state", "=", "failed")
        .where("was_sent", "=", 0),
    }),
  };
}

function createRecipientInsertWrites(
  tables: Kysely<SessionTables>,
  broadcast_id: string,
  targets: readonly NewRecipient[],
  at: string,
) {
  const all = targets.map(({ id: session_id, name, channel_id, trace_id }, position) => ({
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
  return Array.from({ length: Math.ceil(all.length / INSERT_BATCH_SIZE) }, (_, page) => ({
    query: tables
      .insertInto("broadcast_recipients")
      .values(all.slice(page * INSERT_BATCH_SIZE, (page + 1) * INSERT_BATCH_SIZE)),
  }));
}

type StateCounts = readonly { readonly state: string; readonly was_sent: number; readonly count: number }[];

async function loadCounts(
  tables: Kysely<SessionTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StateCounts>> {
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

function fromBroadcastRow({ audience, error, state, ...row }: BroadcastTable, counts: StateCounts): StoredBroadcast {
  const sum = (some: StateCounts) => some.reduce((all, { count }) => all + count, 0);
  const countsInState = (name: RecipientState) => counts.filter((one) => one.state === name);
  return {
    ...row,
    state: state as Broadcast["state"],
    audience: JSON.parse(audience),
    error: error === null ? null : JSON.parse(error),
    counts: Object.fromEntries(RECIPIENT_STATES.map((name) => [name, sum(countsInState(name))])) as Broadcast["counts"],
    retriable: sum(countsInState("failed").filter(({ was_sent }) => was_sent === 0)),
  };
}

function fromRecipientRow(deps: RecipientTable): Recipient {
  const { session_id, name, channel_id, state, error, trace_id, updated_at } = deps;
  const fields = { session_id, name, channel_id, trace_id, updated_at, state: state as RecipientState };
  return { ...fields, error: error === null ? null : JSON.parse(error) };
}
