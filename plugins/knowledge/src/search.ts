import { AppError, deadline, reply, type TextHit, type TextSpace } from "@parley/core";
import type { DocumentStore } from "./document-store.ts";
import { tagLabel } from "./documents.ts";
import type { Indexing } from "./indexing.ts";
import type { SearchBody } from "./schema.ts";

const PER_DOCUMENT = 3;
/** What the model is shown of a question's passages (contract sessions §6). */
const SHOWN = 4;
const SHOWN_FROM = 0.2;
/** So long the question's vector is waited for where words can do without. */
const QUESTION_MS = 2_000;

/** A passage as it is answered. */
export interface KnowledgeHit {
  readonly doc_id: string;
  readonly title: string;
  /** The headings it stands under. */
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
  readonly why: TextHit["why"];
}

export interface Found {
  readonly hits: readonly KnowledgeHit[];
  readonly isLocal: boolean;
  /** What the provider of vectors did, where words had to do. */
  readonly problem?: string;
}

export interface KnowledgeSearch {
  find(body: SearchBody, signal: AbortSignal): Promise<Found>;
  /** The answer of the row. */
  answer(body: SearchBody, signal: AbortSignal): Promise<ReturnType<typeof reply>>;
  /** The passages that the model is shown with a question. */
  recall(question: string, signal: AbortSignal): Promise<readonly KnowledgeHit[]>;
}

export interface SearchParts {
  readonly store: DocumentStore;
  readonly space: () => TextSpace;
  readonly indexing: Indexing;
}

export function createSearch({ store, space, indexing }: SearchParts): KnowledgeSearch {
  const vectorOf = async ({ query, mode }: SearchBody, signal: AbortSignal) => {
    if (mode === "text") return {};
    using limit = deadline(QUESTION_MS, signal);
    try {
      const vector = await indexing.question(query, mode === "vector" ? signal : limit.signal);
      return vector ? { vector } : {};
    } catch (error) {
      if (signal.aborted || mode === "vector" || !(AppError.is(error) || limit.signal.aborted)) throw error;
      return { problem: `only words were searched: ${(error as Error).message}` };
    }
  };
  const find: KnowledgeSearch["find"] = async (body, signal) => {
    const { query, top_k, mode, base_id, tags, doc_ids, min_score } = body;
    const isLocal = (await indexing.model()) === "local";
    const { vector, problem } = await vectorOf(body, signal);
    const labels = [
      ...(base_id === undefined ? [] : [[`base:${base_id}`]]),
      ...(tags?.length ? [tags.map(tagLabel)] : []),
      ...(doc_ids?.length ? [doc_ids.map((id) => `group:${id}`)] : []),
    ];
    const found = await space().search({
      text: query,
      limit: top_k,
      mode: problem === undefined ? mode : "text",
      minScore: min_score,
      perGroup: PER_DOCUMENT,
      labels,
      ...(vector && { vector }),
    });
    const documents = await store.listed([...new Set(found.map(({ group }) => group))]);
    const hits = found.flatMap((hit) => {
      const document = documents.get(hit.group);
      return document ? [hitOf(hit, document)] : [];
    });
    return { hits, isLocal, ...(problem !== undefined && { problem }) };
  };
  return {
    find,
    async answer(body, signal) {
      const { hits, isLocal, problem = "" } = await find(body, signal);
      const page = { total: hits.length, limit: body.top_k, offset: 0 };
      return reply({ data: { items: hits, ...page, mode: body.mode, embedding_local: isLocal }, message: problem });
    },
    async recall(question, signal) {
      const asked = { query: question.slice(0, 2_000), top_k: SHOWN, mode: "hybrid", min_score: SHOWN_FROM } as const;
      return (await find(asked, signal)).hits;
    },
  };
}

function hitOf(
  hit: TextHit,
  { title, source, tags }: { readonly title: string; readonly source: string; readonly tags: readonly string[] },
): KnowledgeHit {
  return {
    doc_id: hit.group,
    title,
    heading: headingOf(hit.title, title),
    chunk_id: hit.id,
    chunk_index: hit.place,
    chunk: hit.text,
    score: hit.score,
    similarity: hit.similarity,
    text_score: hit.textScore,
    source,
    tags,
    marks: hit.marks,
    why: hit.why,
  };
}

/** An entry is called by its document and the headings below it. */
export function headingOf(whole: string, title: string): string {
  return whole.startsWith(title) ? whole.slice(title.length).replace(/^ › /, "") : whole;
}
