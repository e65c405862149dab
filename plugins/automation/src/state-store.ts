import { type Database, fixedStatement, type Write } from "@parley/core";
import { numberOrNull } from "./stored-rows.ts";
import type { AutomationTables, RunKind, StateTable } from "./tables.ts";

const PAGE = 500;

export const STATE = `insert into automation_states (id, kind) values (?, ?) on conflict (id) do nothing`;
const SKIP =
  "update automation_states set skipped_count = skipped_count + 1, held_ms = coalesce(?, held_ms) where id = ?";
const TAKE_HELD = "update automation_states set held_ms = null where id = ? and held_ms = ?";
const SAY = "update automation_states set said = ?, said_ms = ? where id = ?";

/** How records stand: what changes with their runs, and is no change of the record. */
export interface StateStore {
  states(ids: readonly string[]): Promise<ReadonlyMap<string, StateTable>>;
  state(id: string): Promise<StateTable | undefined>;
  ensure(id: string, kind: RunKind): Promise<void>;
  /** A start that was left out; `heldMs`: it may be made up. */
  skip(id: string, kind: RunKind, heldMs: number | null): Promise<void>;
  skipping(id: string, kind: RunKind, heldMs: number | null): readonly Write[];
  held(sinceMs: number): Promise<readonly StateTable[]>;
  /** True: it is ours to make up. */
  takeHeld(id: string, heldMs: number): Promise<boolean>;
  said(id: string, said: string, nowMs: number): Write;
  /** What a session that goes leaves behind. */
  withoutSession(sessionId: string): readonly Write[];
  forget(id: string): Promise<void>;
}

export function createStateStore(database: () => Database): StateStore {
  const tables = () => database().tables<AutomationTables>();
  const one = (text: string, parameters: readonly unknown[]): Write => ({ query: fixedStatement(text, parameters) });
  const write = async (...writes: readonly Write[]) => database().write(writes);
  const skipping: StateStore["skipping"] = (id, kind, heldMs) => [one(STATE, [id, kind]), one(SKIP, [heldMs, id])];
  const states = async (ids: readonly string[]) => {
    const found = new Map<string, StateTable>();
    for (let at = 0; at < ids.length; at += PAGE) {
      const some = tables()
        .selectFrom("automation_states")
        .selectAll()
        .where("id", "in", ids.slice(at, at + PAGE));
      for (const row of await some.execute()) found.set(row.id, numberedState(row));
    }
    return found;
  };
  return {
    states,
    state: async (id) => (await states([id])).get(id),
    async ensure(id, kind) {
      await write(one(STATE, [id, kind]));
    },
    skipping,
    async skip(...start) {
      await write(...skipping(...start));
    },
    async held(sinceMs) {
      const rows = tables().selectFrom("automation_states").selectAll().where("held_ms", ">=", sinceMs);
      return (await rows.execute()).map(numberedState);
    },
    async takeHeld(id, heldMs) {
      const [taken] = await write(one(TAKE_HELD, [id, heldMs]));
      return taken?.changes === 1;
    },
    said: (id, said, nowMs) => one(SAY, [said, nowMs, id]),
    withoutSession: (sessionId) => [
      one("update automation_states set session_id = null where session_id = ?", [sessionId]),
    ],
    async forget(id) {
      await write({ query: tables().deleteFrom("automation_states").where("id", "=", id) });
    },
  };
}

function numberedState(row: StateTable): StateTable {
  return {
    ...row,
    started_ms: numberOrNull(row.started_ms),
    finished_ms: numberOrNull(row.finished_ms),
    held_ms: numberOrNull(row.held_ms),
    said_ms: numberOrNull(row.said_ms),
  };
}
