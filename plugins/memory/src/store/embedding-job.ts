import Joi from "@hapi/joi";
import { type JobKind, type Jobs, jobKind, type Models } from "@parley/core";
import { memoryTexts } from "../texts.ts";
import type { MemoryIndex } from "./memory-index.ts";

const EMBED_MEMORIES = "memory.vectors";
const HOUR_MS = 3_600_000;
const RETRY = { attempts: 5, firstDelayMs: 60_000, maxDelayMs: 1_800_000 };

export interface EmbeddingJobDeps {
  readonly index: MemoryIndex;
  readonly models: () => Models | undefined;
  readonly jobs: () => Jobs | undefined;
}

/** Computes embeddings of memories in a job for all that have none, so that a crash loses nothing. */
export interface MemoryEmbeddings {
  readonly job: JobKind;
  /** Queues embeddings of memories without a vector, after memories or models changed. */
  refresh(): Promise<void>;
}

export function createMemoryEmbeddings({ index, models, jobs }: EmbeddingJobDeps): MemoryEmbeddings {
  /** True while a job waits; it will include everything that is stored before it starts. */
  let isQueued = false;
  const job = jobKind<object>({
    kind: EMBED_MEMORIES,
    titles: { en: "Compute embeddings of memories", zh: "为记忆生成向量" },
    schema: Joi.object(),
    retry: RETRY,
    concurrency: 1,
    timeoutMs: HOUR_MS,
    async run(_payload, { signal, attempt, log, progress }) {
      isQueued = false;
      try {
        const done = await index.embed(signal, (count) => progress(0, `${count}`));
        log(memoryTexts.message("vectors", { count: done }));
      } catch (error) {
        // The job is retried by itself.
        isQueued = attempt < RETRY.attempts;
        throw error;
      }
    },
  });
  return {
    job,
    async refresh() {
      const availableJobs = jobs();
      if (isQueued || !availableJobs || ((await models()?.listEnabled("embedding")) ?? []).length === 0) return;
      isQueued = true;
      await availableJobs.add(EMBED_MEMORIES, {}, { priority: -30 }).catch((error: unknown) => {
        isQueued = false;
        throw error;
      });
    },
  };
}
