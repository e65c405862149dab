import { type Database, fixedStatement, type Write } from "@parley/core";
import { toNumberOrNull } from "./parse-rows.ts";
import type { AutomationTables, RunKind, StateTable } from "./tables.ts";

const BATCH_SIZE = 500;

export const INSERT_STATE_SQL = `insert into automation_states (id, kind) values (?, ?) on conflict (id) do nothing`;
const SKIP_SQL =
  "update automation_states set skipped_count = skipped_count + 1, held_ms = coalesce(?, held_ms) where id = ?";
const CLAIM_MISSED_SQL = "update automation_states set held_ms = null where id = ? and held_ms = ?";
const SET_LAST_MESSAGE_SQL = "update automation_states set said = ?, said_ms = ? where id = ?";

/** Stores the run states of records. Changing a state does not change the record. */
export interface StateStore {
  states(ids: readonly string[]): Promise<ReadonlyMap<string, StateTable>>;
  state(id: string): Promise<StateTable | undefined>;
  /** Records a skipped start; with the time when it was due, it may be caught up later. */
  skip(id: string, kind: RunKind, dueMs: number | null): Promise<void>;
  skipWrites(id: string, kind: RunKind, dueMs: number | null): readonly Write[];
  listMissed(sinceMs: number): Promise<readonly StateTable[]>;
  /** Claims a missed start; returns true when this process must run it. */
  claimMissed(id: string, dueMs: number): Promise<boolean>;
  lastMessageWrite(id: string, text: string, nowMs: number): Write;
  /** Returns the writes that remove a deleted session from the states. */
  clearSessionWrites(sessionId: string): readonly Write[];
  remove(id: string): Promise<void>;
}

export function createStateStore(database: () => Database): StateStore {
  const tables = () => database().tables<AutomationTables>();
  const statement = (text: string, parameters: readonly unknown[]): Write => ({
    query: fixedStatement(text, parameters),
  });
  const write = async (...writes: readonly Write[]) => database().write(writes);
  const skipWrites: StateStore["skipWrites"] = (id, kind, dueMs) => [
    statement(INSERT_STATE_SQL, [id, kind]),
    statement(SKIP_SQL, [dueMs, id]),
  ];
  const states = async (ids: readonly string[]) => {
    const found = new Map<string, StateTable>();
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      const some = tables()
        .selectFrom("automation_states")
        .selectAll()
        .where("id", "in", ids.slice(at, at + BATCH_SIZE));
      for (const row of await some.execute()) found.set(row.id, parseStateRow(row));
    }
    return found;
  };
  return {
    states,
    state: async (id) => (await states([id])).get(id),
    skipWrites,
    async skip(...start) {
      await write(...skipWrites(...start));
    },
    async listMissed(sinceMs) {
      const rows = tables().selectFrom("automation_states").selectAll().where("held_ms", ">=", sinceMs);
      return (await rows.execute()).map(parseStateRow);
    },
    async claimMissed(id, dueMs) {
      const [taken] = await write(statement(CLAIM_MISSED_SQL, [id, dueMs]));
      return taken?.changes === 1;
    },
    lastMessageWrite: (id, text, nowMs) => statement(SET_LAST_MESSAGE_SQL, [text, nowMs, id]),
    clearSessionWrites: (sessionId) => [
      statement("update automation_states set session_id = null where session_id = ?", [sessionId]),
    ],
    async remove(id) {
      await write({ query: tables().deleteFrom("automation_states").where("id", "=", id) });
    },
  };
}

function parseStateRow(row: StateTable): StateTable {
  return {
    ...row,
    started_ms: toNumberOrNull(row.started_ms),
    finished_ms: toNumberOrNull(row.finished_ms),
    held_ms: toNumberOrNull(row.held_ms),
    said_ms: toNumberOrNull(row.said_ms),
  };
}
