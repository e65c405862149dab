import Joi from "@hapi/joi";
import { type JobKind, type Jobs, jobKind, type Models } from "@parley/core";
import type { MemoryIndex } from "./memory-index.ts";
import { memoryLine } from "./said-lines.ts";

const VECTORS = "memory.vectors";
const HOUR_MS = 3_600_000;
const RETRY = { attempts: 5, firstDelayMs: 60_000, maxDelayMs: 1_800_000 };

export interface VectorsParts {
  readonly index: MemoryIndex;
  readonly models: () => Models | undefined;
  readonly jobs: () => Jobs | undefined;
}

/** Vectors of a model for memories: made by a job that takes all that have none, so that nothing is lost when one ends. */
export interface MemoryVectors {
  readonly job: JobKind;
  /** Memories or models have changed: what has no vector is to get one. */
  refresh(): Promise<void>;
}

export function createMemoryVectors({ index, models, jobs }: VectorsParts): MemoryVectors {
  /** One that has not begun takes in all that is stored until then. */
  let isAsked = false;
  const job = jobKind<object>({
    kind: VECTORS,
    titles: { en: "Compute embeddings of memories", zh: "为记忆生成向量" },
    schema: Joi.object(),
    retry: RETRY,
    concurrency: 1,
    timeoutMs: HOUR_MS,
    async run(_payload, { signal, attempt, log, progress }) {
      isAsked = false;
      try {
        const done = await index.embed(signal, (count) => progress(0, `${count}`));
        log(memoryLine("vectors", { count: done }));
      } catch (error) {
        // It runs again by itself.
        isAsked = attempt < RETRY.attempts;
        throw error;
      }
    },
  });
  return {
    job,
    async refresh() {
      const there = jobs();
      if (isAsked || !there || ((await models()?.listEnabled("embedding")) ?? []).length === 0) return;
      isAsked = true;
      await there.add(VECTORS, {}, { priority: -30 }).catch((error: unknown) => {
        isAsked = false;
        throw error;
      });
    },
  };
}
