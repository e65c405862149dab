import {
  AppError,
  formatWarnings,
  type ItemFailure,
  type ModelCalls,
  reply,
  type TextHit,
  type TextSpace,
  toItemFailure,
  toLocalized,
} from "@parley/core";
import type { DocumentStore } from "../documents/document-store.ts";
import { toTagLabel } from "../documents/drafts.ts";
import type { Indexing } from "../indexing/indexing.ts";
import type { SearchBody } from "../schema.ts";
import { knowledgeTexts } from "../texts.ts";
import { dropDuplicates, mergeHits } from "./merge-hits.ts";

/** Number of hits that are examined for each requested one, because some are merged. */
const CANDIDATE_FACTOR = 2;
/** Maximum number of hits that are examined when many repeat each other. */
const MAX_CANDIDATES = 400;
/** Maximum count of passages in the prompt. */
const MAX_PROMPT_PASSAGES = 4;
const MIN_PROMPT_SCORE = 0.2;
/** Milliseconds to wait for the question's vector in the mode `hybrid`, where keywords are enough. */
const EMBED_PATIENCE_MS = 2_000;
/** Minimum count of passages that the rerank model orders, however few are requested. */
const MIN_RERANKED = 24;
const RERANK_TIMEOUT_MS = 2_000;

/** A passage in a response. */
export interface KnowledgeHit {
  readonly doc_id: string;
  readonly title: string;
  /** Headings above the passage. */
  readonly heading: string;
  readonly chunk_id: string;
  readonly chunk_index: number;
  readonly chunk: string;
  readonly score: number;
  readonly similarity: number;
  readonly text_score: number;
  readonly source: string;
  readonly tags: readonly string[];
  readonly marks: TextHit["marks"];
  readonly why: TextHit["why"] & { readonly rerank?: RerankInfo };
}

/** Result of the rerank model for a hit. */
export type RerankInfo =
  /** `before` is the rank without the model, from 1; `score` is the score by words and vectors. */
  | { readonly model: string; readonly before: number; readonly score: number }
  | { readonly problem: string; readonly problem_detail?: NonNullable<ItemFailure["detail"]> };

export interface SearchOutcome {
  readonly hits: readonly KnowledgeHit[];
  readonly isLocal: boolean;
  /** Failure of the embedding provider when only keywords were searched. */
  readonly problem?: ItemFailure;
}

export interface KnowledgeSearch {
  find(body: SearchBody, signal: AbortSignal): Promise<SearchOutcome>;
  /** Searches for the route and the tool; the message says why only keywords were searched, if so. */
  answer(body: SearchBody, signal: AbortSignal): Promise<ReturnType<typeof reply>>;
  /** Returns the passages that the model gets with a question. */
  findForPrompt(question: string, signal: AbortSignal): Promise<readonly KnowledgeHit[]>;
}

export interface SearchDeps {
  readonly store: DocumentStore;
  readonly space: () => TextSpace;
  readonly indexing: Indexing;
  readonly calls: () => ModelCalls | undefined;
}

export function createSearch({ store, space, indexing, calls }: SearchDeps): KnowledgeSearch {
  const embedQuery = async ({ query, mode }: SearchBody, signal: AbortSignal) => {
    if (mode === "text") return {};
    try {
      const vector = await indexing.embedQuestion(query, signal, mode === "vector" ? undefined : EMBED_PATIENCE_MS);
      return vector ? { vector } : {};
    } catch (error) {
      if (signal.aborted || mode === "vector" || !AppError.is(error)) throw error;
      return { problem: knowledgeTexts.message("words_only", { reason: toLocalized(error) }) };
    }
  };
  /** Reorders the best hits with the rerank model, if one is configured; else returns them unchanged. */
  const rerankHits = async (
    query: string,
    found: readonly TextHit[],
    signal: AbortSignal,
  ): Promise<readonly RankedHit[]> => {
    if (found.length === 0) return [];
    try {
      const texts = found.map(({ title, text }) => `${title}\n${text}`);
      const made = await calls()?.rerank(query, texts, { signal, patienceMs: RERANK_TIMEOUT_MS });
      if (!made) return found.map((hit) => ({ hit }));
      const { model } = made.model;
      const ordered = found.map((hit, index) => {
        const score = Math.round((made.scores[index] as number) * 10_000) / 10_000;
        return { hit: { ...hit, score }, rerank: { model, before: index + 1, score: hit.score } };
      });
      return ordered.toSorted((a, b) => b.hit.score - a.hit.score);
    } catch (error) {
      if (signal.aborted || !AppError.is(error)) throw error;
      const { error: problem, detail } = toItemFailure(error);
      return found.map((hit) => ({ hit, rerank: { problem, ...(detail && { problem_detail: detail }) } }));
    }
  };
  /** Finds distinct hits, so that copies of a document do not hide other documents. */
  const findDistinct = async (query: Parameters<TextSpace["search"]>[0]): Promise<readonly TextHit[]> => {
    for (let { limit } = query; ; limit *= 2) {
      const found = await space().search({ ...query, limit });
      const distinct = dropDuplicates(found);
      if (distinct.length >= query.limit || found.length < limit || limit >= MAX_CANDIDATES)
        return distinct.slice(0, query.limit);
    }
  };
  const find = async (body: SearchBody, signal: AbortSignal, minScore = 0): Promise<SearchOutcome> => {
    const { query, top_k, mode, base_id, tags, doc_ids, min_score } = body;
    const isLocal = (await indexing.getEmbeddingSource()).model === "local";
    const { vector, problem } = await embedQuery(body, signal);
    const labels = [
      ...(base_id === undefined ? [] : [[`base:${base_id}`]]),
      ...(tags?.length ? [tags.map(toTagLabel)] : []),
      ...(doc_ids?.length ? [doc_ids.map((id) => `group:${id}`)] : []),
    ];
    const found = await findDistinct({
      text: query,
      limit: mode === "hybrid" ? Math.max(top_k * CANDIDATE_FACTOR, MIN_RERANKED) : top_k * CANDIDATE_FACTOR,
      mode: problem === undefined ? mode : "text",
      minScore,
      labels,
      ...(vector && { vector }),
    });
    // The order of a search by words alone, or by vectors alone, is not changed.
    const ordered = mode === "hybrid" ? await rerankHits(query, found, signal) : found.map((hit) => ({ hit }));
    const good = ordered.filter(({ hit }) => hit.score >= min_score);
    const best = mergeHits(good, top_k);
    const documents = await store.findListed([...new Set(best.map(({ hit }) => hit.group))]);
    const hits = best.flatMap((one) => {
      const document = documents.get(one.hit.group);
      return document ? [toKnowledgeHit(one, document)] : [];
    });
    return { hits, isLocal, ...(problem !== undefined && { problem }) };
  };
  return {
    find: (body, signal) => find(body, signal),
    async answer(body, signal) {
      const { hits, isLocal, problem } = await find(body, signal);
      const page = { total: hits.length, limit: body.top_k, offset: 0 };
      const warned = formatWarnings(problem ? [problem] : []);
      const data = { items: hits, ...page, mode: body.mode, embedding_local: isLocal, ...warned };
      return reply({ data, message: problem?.error ?? "" });
    },
    async findForPrompt(question, signal) {
      const asked = {
        query: question.slice(0, 2_000),
        top_k: MAX_PROMPT_PASSAGES,
        mode: "hybrid",
        min_score: 0,
      } as const;
      return (await find(asked, signal, MIN_PROMPT_SCORE)).hits;
    },
  };
}

interface RankedHit {
  readonly hit: TextHit;
  readonly rerank?: RerankInfo;
}

function toKnowledgeHit(
  { hit, rerank }: RankedHit,
  { title, source, tags }: { readonly title: string; readonly source: string; readonly tags: readonly string[] },
): KnowledgeHit {
  return {
    doc_id: hit.group,
    title,
    heading: toHeading(hit.title, title),
    chunk_id: hit.id,
    chunk_index: hit.place,
    chunk: hit.text,
    score: hit.score,
    similarity: hit.similarity,
    text_score: hit.textScore,
    source,
    tags,
    marks: hit.marks,
    why: { ...hit.why, ...(rerank && { rerank }) },
  };
}

/** Returns the heading of a passage without the title of its document. */
export function toHeading(whole: string, title: string): string {
  return whole.startsWith(title) ? whole.slice(title.length).replace(/^ › /, "") : whole;
}
