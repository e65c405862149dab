import { createHash } from "node:crypto";
import { addUsage, type Embedding, type EmbedOptions, estimateTokens, modelError, type Usage } from "@parley/core";
import { LOCAL_DIMENSIONS, localVector } from "@parley/core/text";
import type { Catalog } from "../records/catalog.ts";
import type { ConfiguredModel } from "../records/configured-model.ts";
import { modelsTexts } from "../texts.ts";
import type { Attempt, AttemptOutcome } from "./attempt.ts";
import type { Attempts } from "./attempts.ts";
import { decodeVector, type EmbeddingCache, encodeVector } from "./embedding-cache.ts";
import { withTimeout } from "./with-timeout.ts";

const MAX_BATCH_SIZE = 96;
const MAX_BATCH_CHARS = 200_000;
const MAX_TEXTS = 10_000;
const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cost: null };

export interface EmbedDeps {
  readonly catalog: Pick<Catalog, "listQueue" | "findConfigured">;
  readonly attempts: Attempts;
  readonly cache: EmbeddingCache;
}

/** An embedding as recorded with a turn. */
interface RecordedEmbedding extends Omit<Embedding, "vectors"> {
  readonly vectors: readonly string[];
}

/** Computes vectors of texts in batches; each text is sent to a model only once. */
export function createEmbed({ catalog, attempts, cache }: EmbedDeps) {
  return async (texts: readonly string[], options: EmbedOptions): Promise<Embedding> => {
    if (texts.length > MAX_TEXTS)
      throw modelsTexts.error("bad_request", "at_once", { most: MAX_TEXTS }, { field: "texts" });
    const live = async (): Promise<RecordedEmbedding> => {
      const embedded = await embedLive(texts, options);
      return { ...embedded, vectors: embedded.vectors.map(encodeVector) };
    };
    if (!options.turn) return embedLive(texts, options);
    const { vectors, ...cached } = await options.turn.external({ kind: "model", name: "embedding", ask: live });
    return { ...cached, vectors: vectors.map(decodeVector) };
  };

  async function embedLive(texts: readonly string[], options: EmbedOptions): Promise<Embedding> {
    const first = await catalog.findConfigured("embedding");
    // The local model makes no request, so there is no usage.
    if (!first || first.fields.protocol === "offline") {
      const vectors = texts.map(localVector);
      const local = { modelId: "local", space: "local", model: "local", dimensions: LOCAL_DIMENSIONS };
      return { vectors, ...local, isLocal: true, usage: NO_USAGE };
    }
    const place = toServerHash(first);
    const space = `${toModelKind(first)} ${place}`;
    // Vectors of another model are not comparable, so only servers of the same model may replace it.
    const sameKind = (await catalog.listQueue("embedding")).filter((one) => toModelKind(one) === toModelKind(first));
    const cached = await cache.read(space, texts);
    const lengths = new Set([...cached.values()].map(({ length }) => length));
    // Cached vectors of another length cannot be combined with new vectors.
    const isUsable = lengths.size < 2 && [...lengths].every((one) => one === (options.dimensions ?? one));
    const [length] = isUsable ? lengths : [];
    const known = new Map(isUsable ? cached : []);
    const missing = [...new Set(texts)].filter((text) => !known.has(text));
    const made = await embedAll(missing, options, { queue: sameKind, model: first, length: options.dimensions });
    const hasOtherLength = made.length !== undefined && length !== undefined && made.length !== length;
    const reembedded = hasOtherLength
      ? await embedAll([...known.keys()], options, { queue: sameKind, model: first, length: made.length })
      : NO_EMBEDDINGS;
    for (const [text, vector] of [...made.vectors, ...reembedded.vectors]) known.set(text, vector);
    if (made.vectors.size + reembedded.vectors.size > 0)
      await cache.add(space, new Map([...made.vectors, ...reembedded.vectors]));
    const vectors = texts.map((text) => known.get(text) as Float32Array);
    return {
      vectors,
      modelId: first.modelId,
      space: `${first.modelId}@${place}`,
      model: first.fields.model,
      dimensions: vectors[0]?.length ?? first.fields.dimensions,
      isLocal: false,
      usage: addUsage(made.usage, reembedded.usage),
    };
  }

  /** Embeds the texts with one model in batches; all vectors have the same length. */
  async function embedAll(
    texts: readonly string[],
    { dimensions: _length, patienceMs, ...options }: EmbedOptions,
    { queue, model, length: requestedLength }: EmbedRequest,
  ): Promise<EmbeddedTexts> {
    const vectors = new Map<string, Float32Array>();
    let [length, usage] = [requestedLength, NO_USAGE];
    for (const batch of splitIntoBatches(texts)) {
      const done = await attempts<readonly Float32Array[]>({
        purpose: "embedding",
        options,
        queue,
        isOnce: patienceMs !== undefined,
        isOptional: patienceMs !== undefined,
        emptyResult: [],
        optionalFeatures: ["dimensions"],
        run: (attempt) => embedBatch(batch, { dimensions: model.fields.dimensions, length, patienceMs }, attempt),
      });
      options.signal.throwIfAborted();
      if (done.failure) throw modelError(done.failure);
      for (const [index, text] of batch.entries()) vectors.set(text, done.result[index] as Float32Array);
      length = done.result[0]?.length;
      usage = addUsage(usage, done.usage);
    }
    return { vectors, length: vectors.size === 0 ? undefined : length, usage };
  }
}

interface EmbedRequest {
  readonly queue: readonly ConfiguredModel[];
  readonly model: ConfiguredModel;
  /** Required length of the vectors; undefined for any. */
  readonly length: number | undefined;
}

interface EmbeddedTexts {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly length: number | undefined;
  readonly usage: Usage;
}

const NO_EMBEDDINGS: EmbeddedTexts = { vectors: new Map(), length: undefined, usage: NO_USAGE };

async function embedBatch(
  batch: readonly string[],
  { dimensions, length: requestedLength, patienceMs = Number.POSITIVE_INFINITY }: BatchOptions,
  { model, disabled: without, signal, reserve }: Attempt,
): Promise<AttemptOutcome<readonly Float32Array[]>> {
  const { embedding, parameters } = model;
  if (!embedding) throw modelsTexts.error("unavailable", "no_vectors", { label: model.label });
  await reserve(() => ({ input_tokens: estimateTokens(batch.join("\n")), output_tokens: 0 }));
  const maxPerCall = (await embedding.maxEmbeddingsPerCall) ?? batch.length;
  const vectors: Float32Array[] = [];
  let tokens = 0;
  for (let at = 0; at < batch.length; at += maxPerCall) {
    const values = batch.slice(at, at + maxPerCall);
    const embedOptions = { values, ...(!without.has("dimensions") && { dimensions }) };
    const { embeddings, usage } = await withTimeout(Math.min(patienceMs, parameters.timeoutMs), signal, (abortSignal) =>
      embedding.doEmbed({ ...embedOptions, abortSignal }),
    );
    tokens += usage?.tokens ?? 0;
    vectors.push(...embeddings.map((one) => Float32Array.from(one)));
  }
  const tokenCounts = { input_tokens: tokens, output_tokens: 0 };
  const length = vectors[0]?.length ?? 0;
  const isWhole =
    vectors.length === batch.length &&
    length > 0 &&
    vectors.every((one) => one.length === length && one.every(Number.isFinite));
  if (isWhole && length === (requestedLength ?? length)) return { result: vectors, tokens: tokenCounts };
  const detail = isWhole
    ? `the model gave vectors of length ${length}, those before had ${requestedLength}`
    : "the vectors are not whole";
  const failure = { category: "invalid_response", detail, statusCode: null, retryAfterMs: null } as const;
  return { result: [], tokens: tokenCounts, failure };
}

interface BatchOptions {
  /** Requested length, sent to models that support the parameter. */
  readonly dimensions: number;
  /** Required length of the vectors. */
  readonly length: number | undefined;
  readonly patienceMs: number | undefined;
}

/** Returns the kind of a model. Models of the same kind can replace each other. */
function toModelKind({ fields }: ConfiguredModel): string {
  return `${fields.protocol} ${fields.model} ${fields.dimensions}`;
}

/** Hashes the address, since a model of the same name at another server may differ. */
function toServerHash({ fields: { base_url, append_base_url_path } }: ConfiguredModel): string {
  return createHash("sha256").update(`${append_base_url_path} ${base_url}`).digest("base64url").slice(0, 10);
}

function* splitIntoBatches(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === MAX_BATCH_SIZE || length + text.length > MAX_BATCH_CHARS)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(text);
    length += text.length;
  }
  if (batch.length > 0) yield batch;
}
