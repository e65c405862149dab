import { AppError, type Clock, type ItemFailure, notFound, toItemFailure } from "@parley/core";
import type { CharacterRecords } from "../records/character-records.ts";
import type { InitializeBody } from "../records/schema.ts";
import type { StateStore } from "./state-store.ts";

/** Status of the engine that changes the states of characters, for operators. */
export interface RuntimeStatus {
  start(): void;
  initialize(body: InitializeBody): Promise<object>;
  status(): Promise<object>;
  onAutoStateRun(error?: unknown): void;
}

export interface RuntimeStatusDeps {
  readonly records: CharacterRecords;
  readonly states: StateStore;
  readonly clock: Clock;
  readonly count: () => Promise<number>;
  readonly interval: () => number;
}

export function createRuntimeStatus({ records, states, clock, count, interval }: RuntimeStatusDeps): RuntimeStatus {
  let startedAt: string | null = null;
  let last: ItemFailure | undefined;
  let runs = 0;
  let failures = 0;
  const start = () => {
    startedAt ??= new Date(clock.now()).toISOString();
  };
  const check = async (ids: readonly string[] | undefined) => {
    const errors: ({ character_id: string } & ItemFailure)[] = [];
    let characters = 0;
    const checkCharacter = async (id: string) => {
      characters += 1;
      try {
        await records.findSpeaker(id);
      } catch (error) {
        errors.push({ character_id: id, ...toFailure(error) });
      }
    };
    for (const id of ids ?? []) await checkCharacter(id);
    if (!ids) for await (const { id } of records.all()) await checkCharacter(id);
    return { characters, errors };
  };

  return {
    start,
    async initialize({ force, character_ids }) {
      const begun = clock.monotonic();
      for (const id of character_ids ?? []) if (!(await records.find(id))) throw notFound("character", id);
      const wasStarted = startedAt !== null && !force;
      start();
      if (force) records.clearCache();
      const found = wasStarted ? { characters: await count(), errors: [] } : await check(character_ids);
      const { scopes } = await states.counts();
      last = found.errors[0] ?? last;
      return {
        initialized: true,
        already: wasStarted,
        ...found,
        scopes,
        duration_ms: Math.round(clock.monotonic() - begun),
      };
    },
    async status() {
      const [characters, counts] = await Promise.all([count(), states.counts()]);
      return {
        initialized: startedAt !== null,
        state: startedAt === null ? "stopped" : "running",
        started_at: startedAt,
        characters,
        ...counts,
        auto_state: { interval: interval(), runs, failures },
        last_error: last?.error ?? null,
        last_error_detail: last?.detail ?? null,
      };
    },
    onAutoStateRun(error) {
      runs += 1;
      if (error === undefined) return;
      failures += 1;
      last = toFailure(error);
    },
  };
}

function toFailure(error: unknown): ItemFailure {
  if (AppError.is(error)) return toItemFailure(error);
  return { error: error instanceof Error ? error.message : String(error) };
}
