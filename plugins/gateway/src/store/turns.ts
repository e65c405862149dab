import { type Effect, fixedStatement, type Turn, type TurnPhase, type Write, type WriteResult } from "@parley/core";
import { createStatement, type StoreDeps } from "./statement.ts";

/** Result of a turn so far, without its inputs. */
export interface Draft {
  readonly phase: TurnPhase;
  readonly turn: Omit<Turn, "inbound" | "session" | "history" | "prompt">;
}

/** Stores data of a turn before its end: drafts of expensive replies, and calls of tools that change something. */
export interface TurnStore {
  /** Stores the draft of an expensive reply, and `early`. Rejects with `conflict` when another run has the message. */
  saveDraft(itemId: string, traceId: string, fence: number, draft: Draft, early: readonly Write[]): Promise<void>;
  loadDraft(traceId: string): Promise<Draft | undefined>;
  /** Stores writes that do not depend on the reply while the turn continues. */
  writeEarly(writes: readonly Write[]): Promise<readonly WriteResult[]>;
  findToolCall(
    traceId: string,
    key: string,
  ): Promise<{ readonly state: string; readonly result: string | null } | undefined>;
  /** Returns the platform id of the turn's streaming draft; null when there is none. */
  findDraftMessage(traceId: string): Promise<string | null>;
  saveDraftMessage(traceId: string, messageId: string): Promise<void>;
  startToolCall(traceId: string, key: string): Promise<void>;
  finishToolCall(traceId: string, key: string, result: string): Promise<void>;
}

interface LedgerRow {
  readonly state: string;
  readonly result: string | null;
}

const DRAFT_KEY = "gateway.draft";
const LOAD_DRAFT = "select phase, draft from turn_draft where trace_id = ?";
const GUARD = "update inbox set updated_ms = ? where id = ? and runs = ? and state = 'running'";
const SAVE_DRAFT = `insert into turn_draft (trace_id, phase, draft, updated_ms) values (?, ?, ?, ?)
  on conflict (trace_id) do update set phase = excluded.phase, draft = excluded.draft, updated_ms = excluded.updated_ms`;
export const DELETE_DRAFT = "delete from turn_draft where trace_id = ?";
const LEDGER = "select state, result from tool_ledger where trace_id = ? and key = ?";
const START_CALL = `insert into tool_ledger (trace_id, key, state, result, started_ms) values (?, ?, ?, ?, ?)
  on conflict (trace_id, key) do nothing`;
const END_CALL = "update tool_ledger set state = 'done', result = ? where trace_id = ? and key = ?";

export function createTurnStore({ main, clock }: StoreDeps): TurnStore {
  return {
    async saveDraft(itemId, traceId, fence, { phase, turn }, early) {
      const now = clock.now();
      await main().write([
        createStatement(GUARD, [now, itemId, fence], { expect: 1 }),
        ...early,
        createStatement(SAVE_DRAFT, [traceId, phase, JSON.stringify(toStoredDraft(turn)), now]),
      ]);
    },
    async loadDraft(traceId) {
      const query = fixedStatement<{ phase: TurnPhase; draft: string }>(LOAD_DRAFT, [traceId]);
      const [row] = await main().lookup(query);
      return row && toDraft(row.phase, JSON.parse(row.draft));
    },
    writeEarly: (writes) => main().write(writes),
    async findToolCall(traceId, key) {
      const [row] = await main().lookup<LedgerRow>(fixedStatement(LEDGER, [traceId, key]));
      return row;
    },
    async findDraftMessage(traceId) {
      const [row] = await main().lookup<LedgerRow>(fixedStatement(LEDGER, [traceId, DRAFT_KEY]));
      return row?.result ?? null;
    },
    async saveDraftMessage(traceId, messageId) {
      await main().write([createStatement(START_CALL, [traceId, DRAFT_KEY, "done", messageId, clock.now()])]);
    },
    async startToolCall(traceId, key) {
      await main().write([createStatement(START_CALL, [traceId, key, "started", null, clock.now()])]);
    },
    async finishToolCall(traceId, key, result) {
      await main().write([createStatement(END_CALL, [result, traceId, key])]);
    },
  };
}

/** A statement in a stored draft. Callbacks that follow the write are lost when the process ends. */
interface StoredStatement extends Omit<Write, "query"> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

function toStoredDraft({ effects, ...turn }: Draft["turn"]) {
  const later = effects.filter(({ isEarly }) => !isEarly);
  const statements = later.map(({ writes }) =>
    writes.map(({ query, ...how }): StoredStatement => {
      const { sql: text, parameters } = query.compile();
      return { sql: text, parameters, ...how };
    }),
  );
  return { turn, effects: statements };
}

function toDraft(phase: TurnPhase, stored: ReturnType<typeof toStoredDraft>): Draft {
  const effects = stored.effects.map(
    (statements): Effect => ({
      writes: statements.map(({ sql: text, parameters, ...how }) => ({
        query: fixedStatement(text, parameters),
        ...how,
      })),
    }),
  );
  return { phase, turn: { ...stored.turn, effects } };
}
