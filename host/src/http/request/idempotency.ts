import { createHash } from "node:crypto";
import {
  type AppError,
  Clock,
  type Database,
  Databases,
  type Migration,
  type Resolver,
  type SharedWindow,
  SharedWindows,
} from "@parley/core";
import { hostTexts } from "../../texts.ts";

const KEEP_MS = 24 * 3_600_000;
const SWEEP_EVERY_MS = 3_600_000;
/** Timeout after which a run of an ended process no longer blocks its key. */
const MAX_RUN_MS = 300_000;

/** The first answer to a repeated request. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

export interface IdempotentCall {
  readonly key: string;
  /** Credential of the caller. */
  readonly principal: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Executes a POST once per `Idempotency-Key`, also across restarts. Errors are not stored: nothing was done, and a retry may succeed. */
export interface Idempotency {
  run(
    call: IdempotentCall,
    answer: () => Promise<StoredAnswer>,
  ): Promise<StoredAnswer & { readonly isReplay: boolean }>;
}

interface Tables {
  readonly idempotent_answers: {
    readonly id: string;
    readonly body_hash: string;
    readonly status: number;
    readonly body: string;
    readonly created_ms: number;
  };
}

const MIGRATIONS: readonly Migration[] = [
  {
    id: "001-idempotent-answers",
    async up(db) {
      await db.schema
        .createTable("idempotent_answers")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("body_hash", "text", (column) => column.notNull())
        .addColumn("status", "integer", (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .addColumn("created_ms", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("idempotent_answers_age").on("idempotent_answers").column("created_ms").execute();
    },
  },
];

export function migrateIdempotency(database: Database): Promise<void> {
  return database.migrate("host", MIGRATIONS);
}

export async function createIdempotency(from: Resolver): Promise<Idempotency> {
  const database = from.find(Databases)?.main;
  if (!database) return { run: () => Promise.reject(hostTexts.error("unavailable", "no_storage")) };
  await migrateIdempotency(database);
  const isShared = () => from.find(Databases)?.isShared === true;
  const openSharedWindow = () =>
    isShared() ? from.find(SharedWindows)?.open("idempotent-requests", MAX_RUN_MS) : undefined;
  return createDurableIdempotency(database, from.get(Clock), openSharedWindow);
}

/** Creates the database-backed idempotency. `openSharedWindow` tracks runs of all processes; it returns undefined in a single one. */
function createDurableIdempotency(
  database: Database,
  clock: Clock,
  openSharedWindow: () => SharedWindow | undefined,
): Idempotency {
  const tables = database.tables<Tables>();
  const running = new Set<string>();
  let sweptAt = Number.NEGATIVE_INFINITY;
  const sweep = async () => {
    if (clock.monotonic() - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = clock.monotonic();
    const query = tables.deleteFrom("idempotent_answers").where("created_ms", "<", clock.now() - KEEP_MS);
    await database.write([{ query }]);
  };
  const find = (id: string) =>
    tables
      .selectFrom("idempotent_answers")
      .selectAll()
      .where("id", "=", id)
      .where("created_ms", ">=", clock.now() - KEEP_MS)
      .executeTakeFirst();

  return {
    async run({ key, principal, path, bytes }, answer) {
      if (!/^[\x20-\x7e]{1,128}$/.test(key)) throw hostTexts.error("bad_request", "key_shape");
      const id = sha256(`${principal}\0${path}\0${key}`);
      const bodyHash = sha256(bytes);
      if (running.has(id)) throw createRunningError();
      running.add(id);
      const window = openSharedWindow();
      let isReserved = false;
      try {
        isReserved = ((await window?.count(new Map([[id, 1]])))?.waitMs ?? 0) === 0;
        if (!isReserved) throw createRunningError();
        const stored = await find(id);
        if (stored && stored.body_hash !== bodyHash) throw hostTexts.error("conflict", "key_reused");
        if (stored) return { status: stored.status, body: stored.body, isReplay: true };
        const { status, body } = await answer();
        const row = { id, body_hash: bodyHash, status, body: removeSecrets(body), created_ms: clock.now() };
        const { id: _id, ...changes } = row;
        const query = tables
          .insertInto("idempotent_answers")
          .values(row)
          .onConflict((conflict) => conflict.column("id").doUpdateSet(changes));
        await database.write([{ query }]);
        await sweep();
        return { status, body, isReplay: false };
      } finally {
        running.delete(id);
        if (isReserved) await window?.uncount([], [id]);
      }
    },
  };
}

function createRunningError(): AppError {
  return hostTexts.error("conflict", "key_runs", {}, { retryAfterS: 1 });
}

// Secrets that are shown only once are not stored with the answer.
function removeSecrets(body: string): string {
  const envelope = JSON.parse(body);
  for (const name of ["token", "secret"]) if (envelope.data?.[name]) envelope.data[name] = null;
  return JSON.stringify(envelope);
}

function sha256(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex");
}
