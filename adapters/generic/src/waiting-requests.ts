import { AppError, type Clock, type Databases, fixedStatement, type Migration, newId } from "@parley/core";

/** Longer than any request waits. */
const KEPT_MS = 60 * 60_000;

/**
 * Requests that wait at some node for their answer, and who has which delivery: a node that gives it with the answer to the
 * request, or one that posts it. Whoever stores that first has it.
 */
const WAITING_REQUESTS: readonly Migration[] = [
  {
    id: "001-waiting-requests",
    expands: true,
    async up(db) {
      await db.schema
        .createTable("generic_waiting")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("trace_id", "text")
        .addColumn("since_ms", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("generic_waiting_session").on("generic_waiting").column("session_id").execute();
      await db.schema
        .createTable("generic_taken")
        .addColumn("delivery_id", "text", (column) => column.primaryKey())
        .addColumn("how", "text", (column) => column.notNull())
        .addColumn("taken_ms", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("generic_taken_ms").on("generic_taken").column("taken_ms").execute();
    },
  },
];

const WAIT = "insert into generic_waiting (id, session_id, trace_id, since_ms) values (?, ?, null, ?)";
const NAME = "update generic_waiting set trace_id = ? where id = ?";
const END = "delete from generic_waiting where id = ?";
const OF_MESSAGE = "trace_id = ? or (trace_id is null and session_id = ?)";
const END_OF = `delete from generic_waiting where ${OF_MESSAGE}`;
const WHO_WAITS = `select id from generic_waiting where ${OF_MESSAGE} limit 1`;
const TAKE =
  "insert into generic_taken (delivery_id, how, taken_ms) values (?, ?, ?) on conflict (delivery_id) do nothing";
const TAKEN = "select how from generic_taken where delivery_id = ?";
const FORGET = ["delete from generic_waiting where since_ms < ?", "delete from generic_taken where taken_ms < ?"];

type How = "given" | "posted";

/** What the nodes of an installation know together of requests that wait. */
export interface WaitingRequests {
  /** Before its message is stored, so that no node answers it without knowing. Gives the request's id. */
  begin(sessionId: string): Promise<string>;
  /** Which message it is. */
  named(requestId: string, traceId: string): Promise<void>;
  end(requestId: string): Promise<void>;
  /** True while a request waits for the answer of a message, or for a message of which nobody knows yet which it is. */
  isWaited(sessionId: string, traceId: string): Promise<boolean>;
  /** Nobody waits for it any more who could still say so. */
  giveUp(sessionId: string, traceId: string): Promise<void>;
  /** Takes all of them or none; false: some of them are posted. What was given before may be given again. */
  give(deliveryIds: readonly string[]): Promise<boolean>;
  /** How a delivery goes out; undefined: nobody has it yet. */
  taken(deliveryId: string): Promise<How | undefined>;
  /** Takes it for posting; gives how it goes out. */
  post(deliveryId: string): Promise<How | undefined>;
}

export function createWaitingRequests(databases: () => Databases, clock: Clock): WaitingRequests {
  let prepared: Promise<void> | undefined;
  const database = async () => {
    const { main } = databases();
    prepared ??= main.migrate("generic", WAITING_REQUESTS).catch((error) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
    return main;
  };
  const write = async (...statements: readonly (readonly [string, ...unknown[]])[]) =>
    (await database()).write(statements.map(([text, ...values]) => ({ query: fixedStatement(text, values) })));
  const first = async <Row>(text: string, values: readonly unknown[]) =>
    (await (await database()).lookup<Row>(fixedStatement(text, values)))[0];
  const taken = async (id: string) => (await first<{ how: How }>(TAKEN, [id]))?.how;
  return {
    taken,
    async begin(sessionId) {
      const now = clock.now();
      const id = newId("wait", now);
      const old = FORGET.map((text) => [text, now - KEPT_MS] as const);
      await write(...old, [WAIT, id, sessionId, now]);
      return id;
    },
    named: async (requestId, traceId) => void (await write([NAME, traceId, requestId])),
    end: async (requestId) => void (await write([END, requestId])),
    isWaited: async (sessionId, traceId) => (await first(WHO_WAITS, [traceId, sessionId])) !== undefined,
    giveUp: async (sessionId, traceId) => void (await write([END_OF, traceId, sessionId])),
    async give(deliveryIds) {
      const takes = deliveryIds.map((id) => ({ query: fixedStatement(TAKE, [id, "given", clock.now()]), expect: 1 }));
      try {
        await (await database()).write(takes);
        return true;
      } catch (error) {
        if (!AppError.is(error) || error.code !== "conflict") throw error;
        const all = await Promise.all(deliveryIds.map(taken));
        return all.every((how) => how === "given");
      }
    },
    async post(deliveryId) {
      await write([TAKE, deliveryId, "posted", clock.now()]);
      return taken(deliveryId);
    },
  };
}
