import { AppError, addUsage, type CallOptions, type Embedding, modelError, type Usage } from "@parley/core";
import { LOCAL_DIMENSIONS, localVector } from "@parley/core/text";
import type { Catalog, ConfiguredModel } from "../catalog.ts";
import type { Attempt, Attempts, Outcome } from "./attempts.ts";
import { decoded, type EmbeddingCache, encoded } from "./embedding-cache.ts";
import { withinTime } from "./within-time.ts";

const BATCH = 96;
const MAX_BATCH_CHARS = 200_000;
const MAX_TEXTS = 10_000;
const FREE: Usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cost: null };

export interface EmbedParts {
  readonly catalog: Pick<Catalog, "queue" | "configured">;
  readonly attempts: Attempts;
  readonly cache: EmbeddingCache;
}

/** As it is kept with a turn. */
interface KeptEmbedding extends Omit<Embedding, "vectors"> {
  readonly vectors: readonly string[];
}

/** Vectors of texts: in batches, and each text of a model only once. */
export function createEmbed({ catalog, attempts, cache }: EmbedParts) {
  return async (texts: readonly string[], options: CallOptions): Promise<Embedding> => {
    if (texts.length > MAX_TEXTS) throw new AppError("bad_request", `texts: at most ${MAX_TEXTS} at once`);
    const live = async (): Promise<KeptEmbedding> => {
      const made = await embedLive(texts, options);
      return { ...made, vectors: made.vectors.map(encoded) };
    };
    if (!options.turn) return embedLive(texts, options);
    const { vectors, ...kept } = await options.turn.external({ kind: "model", name: "embedding", ask: live });
    return { ...kept, vectors: vectors.map(decoded) };
  };

  async function embedLive(texts: readonly string[], options: CallOptions): Promise<Embedding> {
    const first = await catalog.configured("embedding");
    // Nobody is asked, so nothing is counted.
    if (!first || first.fields.protocol === "offline") {
      const vectors = texts.map(localVector);
      return { vectors, space: "local", model: "local", dimensions: LOCAL_DIMENSIONS, isLocal: true, usage: FREE };
    }
    const space = spaceOf(first);
    // Vectors of another model lie in another space: only who serves the same one may stand in.
    const alike = (await catalog.queue("embedding")).filter((one) => spaceOf(one) === space);
    const known = new Map(await cache.read(space, texts));
    let usage = FREE;
    for (const batch of batchesOf([...new Set(texts)].filter((text) => !known.has(text)))) {
      const done = await attempts<readonly Float32Array[]>({
        purpose: "embedding",
        options,
        queue: alike,
        nothing: [],
        extras: ["dimensions"],
        run: (attempt) => once(batch, first.fields.dimensions, attempt),
      });
      options.signal.throwIfAborted();
      if (done.failure) throw modelError(done.failure);
      const made = new Map(batch.map((text, index) => [text, done.result[index] as Float32Array]));
      cache.add(space, made);
      for (const [text, vector] of made) known.set(text, vector);
      usage = addUsage(usage, done.usage);
    }
    const vectors = texts.map((text) => known.get(text) as Float32Array);
    const dimensions = vectors[0]?.length ?? first.fields.dimensions;
    if (vectors.some(({ length }) => length !== dimensions)) {
      throw new AppError("upstream_failed", "the model gives vectors of different lengths");
    }
    return { vectors, space: first.modelId, model: first.fields.model, dimensions, isLocal: false, usage };
  }
}

async function once(
  batch: readonly string[],
  dimensions: number,
  { model, without, signal }: Attempt,
): Promise<Outcome<readonly Float32Array[]>> {
  const { embedding, parameters } = model;
  if (!embedding) throw new AppError("unavailable", `the model '${model.label}' makes no vectors`);
  const most = (await embedding.maxEmbeddingsPerCall) ?? batch.length;
  const vectors: Float32Array[] = [];
  let tokens = 0;
  for (let at = 0; at < batch.length; at += most) {
    const values = batch.slice(at, at + most);
    const asked = { values, ...(!without.has("dimensions") && { dimensions }) };
    const { embeddings, usage } = await withinTime(parameters.timeoutMs, signal, (abortSignal) =>
      embedding.doEmbed({ ...asked, abortSignal }),
    );
    tokens += usage?.tokens ?? 0;
    vectors.push(...embeddings.map((one) => Float32Array.from(one)));
  }
  const counted = { input_tokens: tokens, output_tokens: 0 };
  const length = vectors[0]?.length ?? 0;
  const isWhole =
    vectors.length === batch.length &&
    length > 0 &&
    vectors.every((one) => one.length === length && one.every(Number.isFinite));
  if (isWhole) return { result: vectors, tokens: counted };
  const failure = {
    category: "invalid_response",
    detail: "the vectors are not whole",
    statusCode: null,
    retryAfterMs: null,
  } as const;
  return { result: [], tokens: counted, failure };
}

/** What the cache and the comparison of vectors know a model by. */
function spaceOf({ fields }: ConfiguredModel): string {
  return `${fields.protocol} ${fields.model} ${fields.dimensions}`;
}

function* batchesOf(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === BATCH || length + text.length > MAX_BATCH_CHARS)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(text);
    length += text.length;
  }
  if (batch.length > 0) yield batch;
}
