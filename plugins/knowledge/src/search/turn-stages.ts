import {
  AppError,
  deadline,
  type PromptSource,
  type Turn,
  type TurnContext,
  type TurnStage,
  toLocalized,
  toTraceMessage,
  turnData,
} from "@parley/core";
import type { DocumentStore } from "../documents/document-store.ts";
import { knowledgeTexts } from "../texts.ts";
import type { KnowledgeHit, KnowledgeSearch } from "./search.ts";

const PROMPT_KEY = "knowledge.rag";
/** Questions shorter than this are searched together with the previous message. */
const SHORT_QUESTION_CHARS = 20;
const SEARCH_TIMEOUT_MS = 3_000;
const MAX_TRACED = 160;

/** A passage that a reply can name by its number. */
export type Citation = Pick<KnowledgeHit, "doc_id" | "title" | "heading" | "chunk_id" | "chunk"> & {
  readonly number: number;
};

const NOTE = turnData<{ readonly citations: readonly Citation[] }>("knowledge");

export interface TurnStageDeps {
  readonly search: KnowledgeSearch;
  readonly store: Pick<DocumentStore, "existence">;
  /** Returns false when answers do not use the knowledge base. */
  readonly isEnabled: () => boolean;
}

/** Creates the stage that finds matching passages before the prompt is assembled. A failed search does not fail the answer. */
export function createRetrievalStage({ search, store: { existence }, isEnabled }: TurnStageDeps): TurnStage {
  return {
    id: "knowledge.recall",
    phase: "context",
    isExternal: true,
    concerns: (turn) => existence.isPossible() && isEnabled() && shouldSearch(turn),
    async run(turn, context) {
      using limit = deadline(SEARCH_TIMEOUT_MS, context.signal);
      let hits: readonly KnowledgeHit[] = [];
      const ask = async () => {
        if (!(await existence.check())) return [];
        hits = await search.findForPrompt(toQuestion(turn), limit.signal);
        return hits.map(toCitation);
      };
      try {
        const citations = await context.external({ kind: "prompt", name: "knowledge.recall", ask });
        if (citations.length === 0) return turn;
        traceRetrieval(hits, context);
        return NOTE.with(turn, { citations });
      } catch (error) {
        if (context.signal.aborted || !(AppError.is(error) || limit.signal.aborted)) throw error;
        const why = AppError.is(error) ? toLocalized(error) : (error as Error).message;
        context.trace({
          status: "build_request_failed",
          ...toTraceMessage(knowledgeTexts.message("trace_left_out", { why })),
        });
        return turn;
      }
    },
  };
}

function traceRetrieval(hits: readonly KnowledgeHit[], { trace }: TurnContext): void {
  const passages = hits.map(({ doc_id, title, heading, score, chunk }, index) => ({
    number: index + 1,
    doc_id,
    title: [title, heading].filter(Boolean).join(" › ").slice(0, MAX_TRACED),
    score: Math.round(score * 100) / 100,
    text: chunk.slice(0, MAX_TRACED),
  }));
  trace({
    status: "dispatched",
    ...toTraceMessage(knowledgeTexts.message("trace_recalled", { count: passages.length })),
    metadata: { what: "knowledge", passages },
  });
}

/** Stores with each reply the passages that it cites. */
export const citeStage: TurnStage = {
  id: "knowledge.cite",
  phase: "decorate",
  concerns: isFound,
  async run(turn) {
    const citations = NOTE.of(turn)?.citations ?? [];
    const replies = turn.replies.map((reply) => {
      const named = new Set([...reply.text.matchAll(/\[(\d{1,2})\](?!\()/g)].map(([, number]) => Number(number)));
      const cited = citations.filter(({ number }) => named.has(number));
      return cited.length === 0 ? reply : { ...reply, metadata: { ...reply.metadata, citations: cited } };
    });
    return { ...turn, replies };
  },
};

/** Tells the model how to cite passages, and that their text contains no instructions. */
export const citingSource: PromptSource = {
  id: "knowledge.citing",
  key: PROMPT_KEY,
  title: knowledgeTexts.localized("part_citing"),
  priority: 69,
  place: "before-user",
  concerns: isFound,
  collect: async () => ({ text: CITING_INSTRUCTIONS, isData: false }),
};

export const passagesSource: PromptSource = {
  id: "knowledge.passages",
  key: PROMPT_KEY,
  title: knowledgeTexts.localized("part_passages"),
  priority: 70,
  place: "before-user",
  concerns: isFound,
  collect: async (turn) => ({ text: toPromptText(NOTE.of(turn)?.citations ?? []), isData: true }),
};

function isFound(turn: Turn): boolean {
  return NOTE.of(turn) !== undefined;
}

const CITING_INSTRUCTIONS = `The block "${PROMPT_KEY}" holds numbered passages of the knowledge base. Where they answer what is asked, rely on them and name the number of each one you use in square brackets, like [1]. Where they do not, say nothing of them.`;

/** Formats the passages for the model. */
export function toPromptText(citations: readonly Citation[]): string {
  return citations
    .map(({ number, title, heading, chunk }) => `[${number}] ${[title, heading].filter(Boolean).join(" › ")}\n${chunk}`)
    .join("\n\n");
}

export function toCitation({ doc_id, title, heading, chunk_id, chunk }: KnowledgeHit, index: number): Citation {
  return { number: index + 1, doc_id, title, heading, chunk_id, chunk };
}

function shouldSearch({ replies, inbound, session, text }: Turn): boolean {
  const isTalk = inbound.addressed && (inbound.kind === "message" || inbound.kind === "regenerate");
  return isTalk && replies.length === 0 && text.trim() !== "" && !session.disabled_prompt_keys?.includes(PROMPT_KEY);
}

function toQuestion({ text, history }: Turn): string {
  if (text.length >= SHORT_QUESTION_CHARS) return text;
  const before = history.filter(({ role }) => role === "user").at(-2);
  return before ? `${text}\n${before.content.slice(0, 500)}` : text;
}
