import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import type { InboundMessage, OutboundMessage, TurnOutcome } from "@parley/core";
import pg from "pg";
import { DATABASE_FILE } from "../harness/chosen-storage.ts";

const SETTLE_TIMEOUT_MS = 180_000;
const POLL_INTERVAL_MS = 25;

/** The outcome of one accepted message. */
export interface MessageOutcome {
  readonly channel: string;
  readonly conversation: string;
  readonly text: string;
  readonly traceId: string;
  readonly state: string;
  /** Trace of the later message whose answer it shares. */
  readonly answeredWith: string | undefined;
  /** Number of runs. */
  readonly runs: number;
  /** Number of retries after a failure of the model. */
  readonly repeats: number;
  readonly answers: readonly { readonly state: string; readonly cause: string | null; readonly text: string }[];
}

interface StoredRow {
  readonly trace_id: string;
  readonly state: string;
  /** The message as JSON. */
  readonly message: string;
}

/** Reads the outcomes of all accepted messages in order of acceptance, from the database itself. */
export async function readOutcomes(root: string): Promise<readonly MessageOutcome[]> {
  await using database = await openDatabase(root);
  type Inbox = StoredRow & { readonly channel_id: string; readonly runs: number; readonly outcome: string | null };
  const inbox = await database.all<Inbox>("select * from inbox order by position");
  const outbox = await database.all<StoredRow & { readonly cause: string | null }>(
    "select * from outbox order by position",
  );
  const failed = await database.all<{ readonly trace_id: string | null }>(
    "select trace_id from token_usage where ok = 0",
  );
  const answers = Map.groupBy(outbox, ({ trace_id }) => trace_id);
  return inbox.map(({ trace_id, channel_id: channel, state, runs, message, outcome }) => {
    const { text, conversation } = JSON.parse(message) as InboundMessage;
    const { answeredWith } = JSON.parse(outcome ?? "{}") as Pick<TurnOutcome, "answeredWith">;
    const own = (answers.get(trace_id) ?? []).map((row) => {
      const { text: answerText } = JSON.parse(row.message) as OutboundMessage;
      return { state: row.state, cause: row.cause, text: answerText };
    });
    const repeats = failed.filter((one) => one.trace_id === trace_id).length;
    const about = { channel, conversation: conversation.id, text, traceId: trace_id };
    return { ...about, state, answeredWith, runs, repeats, answers: own };
  });
}

/** Resolves when all these texts were accepted and no work is left; throws after a timeout. */
export async function waitUntilSettled(root: string, texts: readonly string[]): Promise<void> {
  await using database = await openDatabase(root);
  const missing = new Set(texts);
  let seen = 0;
  for (const from = performance.now(); ; await wait(POLL_INTERVAL_MS)) {
    for (const { position, message } of await database.all<StoredRow & { readonly position: unknown }>(
      ACCEPTED_QUERY,
      seen,
    )) {
      seen = Number(position);
      missing.delete((JSON.parse(message) as InboundMessage).text);
    }
    const open = await database.all<object>(OPEN_QUERY);
    if (open.length + missing.size === 0) return;
    if (performance.now() - from > SETTLE_TIMEOUT_MS) {
      throw new Error(`stuck after ${SETTLE_TIMEOUT_MS / 1_000} s: ${JSON.stringify({ open, missing: [...missing] })}`);
    }
  }
}

const ACCEPTED_QUERY = "select position, message from inbox where position > $1 order by position";
const OPEN_QUERY = `select trace_id, state from inbox where state in ('waiting', 'running')
  union all select trace_id, state from outbox where state in ('pending', 'sending', 'unknown_after_send', 'failed')`;

interface ReadConnection extends AsyncDisposable {
  all<One>(query: string, ...values: number[]): Promise<readonly One[]>;
}

async function openDatabase(root: string): Promise<ReadConnection> {
  const note = join(root, DATABASE_FILE);
  return existsSync(note) ? openServer(readFileSync(note, "utf8")) : openFiles(root);
}

async function openServer(url: string): Promise<ReadConnection> {
  const client = new pg.Client(url);
  await client.connect();
  return {
    all: async <One>(query: string, ...values: number[]) => (await client.query(query, values)).rows as One[],
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Opens the files only while the service runs: an open reader would prevent the recovery after its death. */
function openFiles(root: string): ReadConnection {
  const database = new DatabaseSync(join(root, "data", "parley.db"), { readOnly: true, timeout: 5_000 });
  return {
    // PostgreSQL numbers its parameters, SQLite uses question marks.
    all: async <One>(query: string, ...values: number[]) =>
      database.prepare(query.replaceAll(/\$\d+/g, "?")).all(...values) as unknown as One[],
    [Symbol.asyncDispose]: async () => database.close(),
  };
}
