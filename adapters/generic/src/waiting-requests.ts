import {
  AppError,
  type Clock,
  type Databases,
  fixedStatement,
  type Migration,
  newId,
  type Signals,
} from "@parley/core";
import { resolveWithin } from "@parley/core/async";

/** Retention of requests and routes, longer than any request waits. */
const RETENTION_MS = 60 * 60_000;

/**
 * Requests waiting at a node for their answer, and the route of each delivery: in the response to a request, or
 * posted. The first to store a route decides.
 */
const WAITING_REQUEST_MIGRATIONS: readonly Migration[] = [
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

const INSERT_WAITING = "insert into generic_waiting (id, session_id, trace_id, since_ms) values (?, ?, null, ?)";
const SET_TRACE = "update generic_waiting set trace_id = ? where id = ?";
const DELETE_WAITING = "delete from generic_waiting where id = ?";
const IS_OF_MESSAGE = "trace_id = ? or (trace_id is null and session_id = ?)";
const DELETE_OF_MESSAGE = `delete from generic_waiting where ${IS_OF_MESSAGE}`;
const FIND_WAITING = `select id from generic_waiting where ${IS_OF_MESSAGE} limit 1`;
const CLAIM_DELIVERY =
  "insert into generic_taken (delivery_id, how, taken_ms) values (?, ?, ?) on conflict (delivery_id) do nothing";
const READ_CLAIM = "select how from generic_taken where delivery_id = ?";
const DELETE_OLD = ["delete from generic_waiting where since_ms < ?", "delete from generic_taken where taken_ms < ?"];

/** Topic of signals about a change of a session's requests or a delivery's route. */
const TOPIC = "generic-waiting";

/** `given`: in the response to a request. */
type DeliveryRoute = "given" | "posted";

/** The waiting requests of all nodes. */
export interface WaitingRequests {
  /** Creates the tables, even for a single process, which does not use them. */
  prepare(): Promise<void>;
  /** Registers a request before its message is stored, so that every node knows it; returns the id of the request. */
  begin(sessionId: string): Promise<string>;
  /** Sets the trace id of the request's message. */
  setTrace(sessionId: string, requestId: string, traceId: string): Promise<void>;
  end(sessionId: string, requestId: string): Promise<void>;
  /** True while a request waits for the answer to this message, or a request of the session has no trace id yet. */
  hasWaiting(sessionId: string, traceId: string): Promise<boolean>;
  /** Removes the requests for which `hasWaiting` is true, since their node did not decide in time. */
  abandon(sessionId: string, traceId: string): Promise<void>;
  /** Claims all deliveries for a response, or none; returns false if some are posted. Claims may be repeated. */
  claimForAnswer(deliveryIds: readonly string[]): Promise<boolean>;
  /** Returns the route of a delivery; undefined when none is stored. */
  getRoute(deliveryId: string): Promise<DeliveryRoute | undefined>;
  /** Claims a delivery for posting; returns its stored route. */
  claimForPost(deliveryId: string): Promise<DeliveryRoute | undefined>;
  /** Subscribes to changes of a session's requests and a delivery's route, on any node. */
  subscribe(sessionId: string, deliveryId: string): ChangeSubscription;
}

export interface ChangeSubscription extends Disposable {
  /** Resolves at the first change since the last call, or after this time. */
  next(withinMs: number): Promise<void>;
}

export interface WaitingRequestsDeps {
  readonly databases: () => Databases;
  readonly signals: () => Signals;
  readonly clock: Clock;
}

export function createWaitingRequests({ databases, signals, clock }: WaitingRequestsDeps): WaitingRequests {
  const prepare = () => databases().main.migrate("generic", WAITING_REQUEST_MIGRATIONS);
  let prepared: Promise<void> | undefined;
  const getDatabase = async () => {
    const { main } = databases();
    prepared ??= prepare().catch((error) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
    return main;
  };
  const write = async (...statements: readonly (readonly [string, ...unknown[]])[]) =>
    (await getDatabase()).write(statements.map(([text, ...values]) => ({ query: fixedStatement(text, values) })));
  const localListeners = new Set<(key: string | undefined) => void>();
  /** Writes the changes and signals them to waiting listeners on all nodes. */
  const writeAndSignal = async (
    keys: readonly string[],
    writes: Parameters<Awaited<ReturnType<typeof getDatabase>>["write"]>[0],
  ) => {
    await (await getDatabase()).write([
      ...writes,
      ...signals().telling(keys.map((key) => ({ topic: TOPIC, key: toSignalKey(key) }))),
    ]);
    for (const listener of localListeners) for (const key of keys) listener(toSignalKey(key));
  };
  const change = (key: string, ...[text, ...values]: readonly [string, ...unknown[]]) =>
    writeAndSignal([key], [{ query: fixedStatement(text, values) }]);
  const findFirst = async <Row>(text: string, values: readonly unknown[]) =>
    (await (await getDatabase()).lookup<Row>(fixedStatement(text, values)))[0];
  const findRoute = async (id: string) => (await findFirst<{ how: DeliveryRoute }>(READ_CLAIM, [id]))?.how;
  return {
    prepare,
    getRoute: findRoute,
    async begin(sessionId) {
      const now = clock.now();
      const id = newId("wait", now);
      const old = DELETE_OLD.map((text) => [text, now - RETENTION_MS] as const);
      await write(...old, [INSERT_WAITING, id, sessionId, now]);
      return id;
    },
    setTrace: (sessionId, requestId, traceId) => change(sessionId, SET_TRACE, traceId, requestId),
    end: (sessionId, requestId) => change(sessionId, DELETE_WAITING, requestId),
    hasWaiting: async (sessionId, traceId) => (await findFirst(FIND_WAITING, [traceId, sessionId])) !== undefined,
    abandon: async (sessionId, traceId) => void (await write([DELETE_OF_MESSAGE, traceId, sessionId])),
    async claimForAnswer(deliveryIds) {
      const claims = deliveryIds.map((id) => ({
        query: fixedStatement(CLAIM_DELIVERY, [id, "given", clock.now()]),
        expect: 1,
      }));
      try {
        await writeAndSignal(deliveryIds, claims);
        return true;
      } catch (error) {
        if (!AppError.is(error) || error.code !== "conflict") throw error;
        const all = await Promise.all(deliveryIds.map(findRoute));
        return all.every((how) => how === "given");
      }
    },
    async claimForPost(deliveryId) {
      await write([CLAIM_DELIVERY, deliveryId, "posted", clock.now()]);
      return findRoute(deliveryId);
    },
    subscribe(sessionId, deliveryId) {
      let next = Promise.withResolvers<void>();
      const listener = (key: string | undefined) => {
        if (key === undefined || key === toSignalKey(sessionId) || key === deliveryId) next.resolve();
      };
      const end = signals().listen(TOPIC, listener);
      localListeners.add(listener);
      return {
        async next(withinMs) {
          await resolveWithin(next.promise, withinMs);
          next = Promise.withResolvers();
        },
        [Symbol.dispose]() {
          end();
          localListeners.delete(listener);
        },
      };
    },
  };
}

/** Truncates a key to the 1,000 characters of a signal; equal prefixes only cause additional checks. */
function toSignalKey(key: string): string {
  return key.slice(0, 1_000);
}
