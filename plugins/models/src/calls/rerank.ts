import { InvalidResponseDataError } from "@ai-sdk/provider";
import { estimateTokens, type ModelCalls, modelError, type Reranked } from "@parley/core";
import type { Catalog } from "../records/catalog.ts";
import { modelsTexts } from "../texts.ts";
import type { Attempt, AttemptOutcome } from "./attempt.ts";
import type { Attempts } from "./attempts.ts";
import { withTimeout } from "./with-timeout.ts";

const MAX_TEXTS = 500;

export interface RerankDeps {
  readonly catalog: Pick<Catalog, "listQueue" | "findConfigured">;
  readonly attempts: Attempts;
}

/** Creates the function that scores texts by their relevance for a question. */
export function createRerank({ catalog, attempts }: RerankDeps): ModelCalls["rerank"] {
  return async (question, texts, { patienceMs, ...options }) => {
    if (texts.length > MAX_TEXTS)
      throw modelsTexts.error("bad_request", "at_once", { most: MAX_TEXTS }, { field: "texts" });
    if (!(await catalog.findConfigured("rerank"))) return undefined;
    const live = async (): Promise<Reranked> => {
      const done = await attempts<readonly number[]>({
        purpose: "rerank",
        options,
        queue: await catalog.listQueue("rerank"),
        isOnce: patienceMs !== undefined,
        isOptional: patienceMs !== undefined,
        emptyResult: [],
        run: (attempt) => rerankOnce(question, texts, attempt, patienceMs),
      });
      options.signal.throwIfAborted();
      if (done.failure) throw modelError(done.failure);
      return { scores: done.result, model: done.model, usage: done.usage };
    };
    return options.turn ? options.turn.external({ kind: "model", name: "rerank", ask: live }) : live();
  };
}

async function rerankOnce(
  query: string,
  texts: readonly string[],
  { model, signal, reserve }: Attempt,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<AttemptOutcome<readonly number[]>> {
  const { reranking, parameters } = model;
  if (!reranking) throw modelsTexts.error("unavailable", "not_reranker", { label: model.label });
  const estimatedTokens = estimateTokens([query, ...texts].join("\n"));
  await reserve(() => ({ input_tokens: estimatedTokens, output_tokens: 0 }));
  const documents = { type: "text" as const, values: [...texts] };
  const { ranking, providerMetadata } = await withTimeout(
    Math.min(patienceMs, parameters.timeoutMs),
    signal,
    (abortSignal) => reranking.doRerank({ query, documents, topN: texts.length, abortSignal }),
  );
  const reportedTokens = providerMetadata?.usage?.tokens;
  const tokens = typeof reportedTokens === "number" ? reportedTokens : estimatedTokens;
  return { result: toScores(ranking, texts.length), tokens: { input_tokens: tokens, output_tokens: 0 } };
}

/** Returns one score from 0 to 1 per text; throws when a text has no score. */
function toScores(
  ranking: readonly { readonly index: number; readonly relevanceScore: number }[],
  count: number,
): readonly number[] {
  const found = new Map(ranking.map(({ index, relevanceScore }) => [index, relevanceScore]));
  const scores = Array.from({ length: count }, (_, index) => found.get(index) ?? Number.NaN);
  if (ranking.length !== count || !scores.every(Number.isFinite)) {
    throw new InvalidResponseDataError({ data: null, message: "the scores are incomplete" });
  }
  // Some servers return logits instead of scores from 0 to 1.
  const isRaw = scores.some((score) => score < 0 || score > 1);
  return isRaw ? scores.map((score) => 1 / (1 + Math.exp(-score))) : scores;
}
