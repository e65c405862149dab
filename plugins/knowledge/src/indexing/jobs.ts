import Joi from "@hapi/joi";
import { type JobKind, jobKind } from "@parley/core";
import { knowledgeTexts } from "../texts.ts";
import type { Indexing, IndexJob } from "./indexing.ts";
import type { Rebuild, RebuildJob } from "./rebuild.ts";

const HOUR_MS = 3_600_000;

/** Embeds one document; a failing provider is retried later by a separate job. */
export function createIndexJob(indexing: () => Indexing): JobKind {
  return jobKind<IndexJob>({
    kind: "knowledge.index",
    titles: { en: "Index a document", zh: "索引文档" },
    schema: Joi.object({
      doc_id: Joi.string().required(),
      text_version: Joi.number().integer().required(),
      tried: Joi.number().integer().min(0).default(0),
    }),
    concurrency: 2,
    timeoutMs: HOUR_MS,
    run: (job, { signal, progress }) => indexing().run(job, signal, progress),
  });
}

export function createRebuildJob(rebuild: () => Rebuild): JobKind {
  return jobKind<RebuildJob>({
    kind: "knowledge.rebuild",
    titles: { en: "Rebuild the knowledge index", zh: "重建知识库索引" },
    schema: Joi.object({ with_texts: Joi.boolean().default(true) }),
    concurrency: 1,
    timeoutMs: 6 * HOUR_MS,
    async run(job, { isRepeated, signal, progress, log }) {
      const { rebuilt_documents, failed } = await rebuild().run(job, isRepeated, signal, progress);
      log(knowledgeTexts.message("rebuilt", { count: rebuilt_documents, failed }));
    },
  });
}
