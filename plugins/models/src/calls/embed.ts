import { createHash } from "node:crypto";
import { addUsage, type Embedding, type EmbedOptions, modelError, type Usage } from "@parley/core";
import { LOCAL_DIMENSIONS, localVector } from "@parley/core/text";
import type { Catalog, ConfiguredModel } from "../catalog.ts";
import { modelFailure } from "../said-failures.ts";
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
  return async (texts: readonly string[], options: EmbedOptions): Promise<Embedding> => {
    if (texts.length > MAX_TEXTS) throw modelFailure("bad_request", "at_once", { most: MAX_TEXTS }, { field: "texts" });
    const live = async (): Promise<KeptEmbedding> => {
      const made = await embedLive(texts, options);
      return { ...made, vectors: made.vectors.map(encoded) };
    };
    if (!options.turn) return embedLive(texts, options);
    const { vectors, ...kept } = await options.turn.external({ kind: "model", name: "embedding", ask: live });
    return { ...kept, vectors: vectors.map(decoded) };
  };

  async function embedLive(texts: readonly string[], options: EmbedOptions): Promise<Embedding> {
    const first = await catalog.configured("embedding");
    // Nobody is asked, so nothing is counted.
    if (!first || first.fields.protocol === "offline") {
      const vectors = texts.map(localVector);
      const local = { modelId: "local", space: "local", model: "local", dimensions: LOCAL_DIMENSIONS };
      return { vectors, ...local, isLocal: true, usage: FREE };
    }
    const place = placeOf(first);
    const space = `${kindOf(first)} ${place}`;
    // Vectors of another model lie in another space: only who serves the same one may stand in.
    const alike = (await catalog.queue("embedding")).filter((one) => kindOf(one) === kindOf(first));
    const kept = await cache.read(space, texts);
    const lengths = new Set([...kept.values()].map(({ length }) => length));
    // What was kept is of no use beside what the model makes now when it has another length.
    const isUsable = lengths.size < 2 && [...lengths].every((one) => one === (options.dimensions ?? one));
    const [length] = isUsable ? lengths : [];
    const known = new Map(isUsable ? kept : []);
    const missing = [...new Set(texts)].filter((text) => !known.has(text));
    const made = await embedAll(missing, options, { queue: alike, model: first, length: options.dimensions });
    const isOther = made.length !== undefined && length !== undefined && made.length !== length;
    const anew = isOther
      ? await embedAll([...known.keys()], options, { queue: alike, model: first, length: made.length })
      : NOTHING_MADE;
    for (const [text, vector] of [...made.vectors, ...anew.vectors]) known.set(text, vector);
    if (made.vectors.size + anew.vectors.size > 0) cache.add(space, new Map([...made.vectors, ...anew.vectors]));
    const vectors = texts.map((text) => known.get(text) as Float32Array);
    return {
      vectors,
      modelId: first.modelId,
      space: `${first.modelId}@${place}`,
      model: first.fields.model,
      dimensions: vectors[0]?.length ?? first.fields.dimensions,
      isLocal: false,
      usage: addUsage(made.usage, anew.usage),
    };
  }

  /** By the model, in batches that all have one length. */
  async function embedAll(
    texts: readonly string[],
    { dimensions: _length, patienceMs, ...options }: EmbedOptions,
    { queue, model, length: wanted }: Asked,
  ): Promise<Made> {
    const vectors = new Map<string, Float32Array>();
    let [length, usage] = [wanted, FREE];
    for (const batch of batchesOf(texts)) {
      const done = await attempts<readonly Float32Array[]>({
        purpose: "embedding",
        options,
        queue,
        isOnce: patienceMs !== undefined,
        isOptional: patienceMs !== undefined,
        nothing: [],
        extras: ["dimensions"],
        run: (attempt) => once(batch, { dimensions: model.fields.dimensions, length, patienceMs }, attempt),
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

interface Asked {
  readonly queue: readonly ConfiguredModel[];
  readonly model: ConfiguredModel;
  /** undefined: any. */
  readonly length: number | undefined;
}

interface Made {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly length: number | undefined;
  readonly usage: Usage;
}

const NOTHING_MADE: Made = { vectors: new Map(), length: undefined, usage: FREE };

async function once(
  batch: readonly string[],
  { dimensions, length: wanted, patienceMs = Number.POSITIVE_INFINITY }: Batch,
  { model, without, signal }: Attempt,
): Promise<Outcome<readonly Float32Array[]>> {
  const { embedding, parameters } = model;
  if (!embedding) throw modelFailure("unavailable", "no_vectors", { label: model.label });
  const most = (await embedding.maxEmbeddingsPerCall) ?? batch.length;
  const vectors: Float32Array[] = [];
  let tokens = 0;
  for (let at = 0; at < batch.length; at += most) {
    const values = batch.slice(at, at + most);
    const asked = { values, ...(!without.has("dimensions") && { dimensions }) };
    const { embeddings, usage } = await withinTime(Math.min(patienceMs, parameters.timeoutMs), signal, (abortSignal) =>
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
  if (isWhole && length === (wanted ?? length)) return { result: vectors, tokens: counted };
  const detail = isWhole
    ? `the model gave vectors of length ${length}, those before had ${wanted}`
    : "the vectors are not whole";
  const failure = { category: "invalid_response", detail, statusCode: null, retryAfterMs: null } as const;
  return { result: [], tokens: counted, failure };
}

interface Batch {
  /** What the model is asked for; one that takes no such wish is not. */
  readonly dimensions: number;
  /** What it must give. */
  readonly length: number | undefined;
  readonly patienceMs: number | undefined;
}

/** Models that are called the same: people have set up several to stand in for each other. */
function kindOf({ fields }: ConfiguredModel): string {
  return `${fields.protocol} ${fields.model} ${fields.dimensions}`;
}

/** Behind another address a model of the same name may be another one. */
function placeOf({ fields: { base_url, append_base_url_path } }: ConfiguredModel): string {
  return createHash("sha256").update(`${append_base_url_path} ${base_url}`).digest("base64url").slice(0, 10);
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
