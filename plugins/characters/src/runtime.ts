import { AppError, type Clock, type ItemFailure, itemFailure, notFound } from "@parley/core";
import type { CharacterRecords } from "./character-records.ts";
import type { InitializeBody } from "./schema.ts";
import type { CharacterStates } from "./states.ts";

/** The engine that moves characters, as people look after it. */
export interface Runtime {
  start(): void;
  initialize(body: InitializeBody): Promise<object>;
  status(): Promise<object>;
  autoStateRan(error?: unknown): void;
}

export interface RuntimeParts {
  readonly records: CharacterRecords;
  readonly states: CharacterStates;
  readonly clock: Clock;
  readonly count: () => Promise<number>;
  readonly interval: () => number;
}

export function createRuntime({ records, states, clock, count, interval }: RuntimeParts): Runtime {
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
    const look = async (id: string) => {
      characters += 1;
      try {
        await records.speaker(id);
      } catch (error) {
        errors.push({ character_id: id, ...whyOf(error) });
      }
    };
    for (const id of ids ?? []) await look(id);
    if (!ids) for await (const { id } of records.all()) await look(id);
    return { characters, errors };
  };

  return {
    start,
    async initialize({ force, character_ids }) {
      const begun = clock.monotonic();
      for (const id of character_ids ?? []) if (!(await records.find(id))) throw notFound("character", id);
      const already = startedAt !== null && !force;
      start();
      if (force) records.forget();
      const found = already ? { characters: await count(), errors: [] } : await check(character_ids);
      const { scopes } = await states.counts();
      last = found.errors[0] ?? last;
      return { initialized: true, already, ...found, scopes, duration_ms: Math.round(clock.monotonic() - begun) };
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
    autoStateRan(error) {
      runs += 1;
      if (error === undefined) return;
      failures += 1;
      last = whyOf(error);
    },
  };
}

function whyOf(error: unknown): ItemFailure {
  if (AppError.is(error)) return itemFailure(error);
  return { error: error instanceof Error ? error.message : String(error) };
}
