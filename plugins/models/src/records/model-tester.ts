import { crc32, deflateSync } from "node:zlib";
import {
  type CallOptions,
  type Clock,
  deadline,
  type GeneratedFile,
  type Localized,
  type ModelCalls,
  type ModelFailure,
  type ModelPurpose,
  modelError,
  type Redaction,
  silentLogger,
  type TokenUsage,
  toModelReason,
} from "@parley/core";
import { type AttemptResult, type Attempts, createAttempts } from "../calls/attempts.ts";
import type { EmbeddingCache } from "../calls/embedding-cache.ts";
import { createModelCalls } from "../calls/model-calls.ts";
import type { ModelQueue } from "../failover/model-queue.ts";
import { createUnsupportedFeatures } from "../failover/unsupported-features.ts";
import type { Catalog } from "./catalog.ts";
import type { ConfiguredModel } from "./configured-model.ts";

const DEFAULT_PROMPTS: Partial<Readonly<Record<ModelPurpose, string>>> = {
  vision: "What is in this picture? Answer in one short sentence.",
  image_generation: "A red circle on a white ground.",
  rerank: "When does the museum open?",
};
const DEFAULT_PROMPT = "Say hello in one short sentence.";
const RERANK_SAMPLES: readonly string[] = ["The tram is red.", "The museum opens at ten."];
const MAX_SAMPLE_CHARS = 500;
const MAX_TEST_TOKENS = 500;

/** The result of one real call to a model. */
export interface ModelTestResult {
  readonly ok: boolean;
  readonly elapsed_ms: number;
  readonly status_code: number | null;
  readonly category: ModelFailure["category"] | null;
  readonly detail: string;
  /** Localized reason of a failure; null after a success. */
  readonly said: Localized | null;
  readonly sample: string;
  /** Milliseconds to the first text and number of parts of a stream; null when the answer came as a whole. */
  readonly stream: { readonly first_ms: number; readonly parts: number } | null;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly total_tokens: number };
}

export interface ModelTestRequest {
  readonly purpose: ModelPurpose;
  readonly prompt?: string | undefined;
  readonly timeoutS: number;
  readonly user: string;
}

export interface ModelTesterDeps {
  readonly catalog: Catalog;
  readonly usage: TokenUsage;
  readonly clock: Clock;
  /** Masks keys, because some servers repeat the key they are called with. */
  readonly redaction: Pick<Redaction, "mask">;
}

/** Calls a model once as its purpose would; a failure is returned as a result, not thrown. */
export type ModelTester = (
  configured: ConfiguredModel,
  request: ModelTestRequest,
  signal: AbortSignal,
) => Promise<ModelTestResult>;

export function createModelTester({ catalog, usage, clock, redaction }: ModelTesterDeps): ModelTester {
  const baseAttempts = createAttempts({
    catalog,
    modelQueue: UNLIMITED_QUEUE,
    features: createUnsupportedFeatures(),
    usage,
    clock,
    events: { publish() {} },
    gatewayLog: () => undefined,
    // The result contains the error, so it need not be logged.
    log: silentLogger,
  });
  return async (
    configured,
    { purpose, prompt = DEFAULT_PROMPTS[purpose] ?? DEFAULT_PROMPT, timeoutS, user },
    signal,
  ) => {
    const startedMs = clock.monotonic();
    using limit = deadline(timeoutS * 1000, signal);
    let last: AttemptResult<unknown> | undefined;
    const attempts: Attempts = async (work) => {
      const done = await baseAttempts(work);
      last = done;
      return done;
    };
    const singleCatalog = { ...catalog, findConfigured: async () => configured, listQueue: async () => [configured] };
    const calls = createModelCalls({ catalog: singleCatalog, attempts, cache: NO_CACHE });
    let stream: ModelTestResult["stream"] = null;
    const onTextPart = () => {
      const first_ms = stream?.first_ms ?? Math.round(clock.monotonic() - startedMs);
      stream = { first_ms, parts: (stream?.parts ?? 0) + 1 };
    };
    const isStreamed = configured.fields.supports_stream;
    const options = { user, signal: limit.signal, ...(isStreamed && { onTextPart }) };
    const outcome = await runSample(calls, purpose, prompt, options).then(
      (sample) => ({ sample, failure: undefined }),
      (error: unknown) => ({ sample: "", failure: last?.failure ?? catalog.toFailure(error) }),
    );
    const failure = limit.signal.aborted ? catalog.toFailure(limit.signal.reason) : outcome.failure;
    const { input_tokens = 0, output_tokens = 0, total_tokens = 0 } = last?.usage ?? {};
    return {
      ok: !failure,
      elapsed_ms: Math.round(clock.monotonic() - startedMs),
      status_code: failure ? failure.statusCode : 200,
      category: failure?.category ?? null,
      detail: failure?.detail ?? "",
      said: failure ? toModelReason(failure) : null,
      sample: failure ? "" : redaction.mask(outcome.sample).slice(0, MAX_SAMPLE_CHARS),
      stream: failure ? null : stream,
      usage: { input_tokens, output_tokens, total_tokens },
    };
  };
}

interface SampleOptions extends CallOptions {
  /** Called for each streamed part of an answer. */
  readonly onTextPart?: () => void;
}

/** Makes the call for a purpose and returns its result as text. */
async function runSample(
  calls: ModelCalls,
  purpose: ModelPurpose,
  prompt: string,
  { onTextPart, ...options }: SampleOptions,
): Promise<string> {
  switch (purpose) {
    case "embedding": {
      const { dimensions } = await calls.embed([prompt], options);
      return `a vector of ${dimensions} numbers`;
    }
    case "rerank": {
      const reranked = await calls.rerank(prompt, RERANK_SAMPLES, options);
      return `the order ${toRanking(reranked?.scores ?? [])} of: ${RERANK_SAMPLES.join(" | ")}`;
    }
    case "image_generation": {
      const { images } = await calls.image(prompt, options);
      return images.map((image) => `a picture: ${describeSize(image)}`).join(", ");
    }
    case "tts":
      return `speech: ${describeSize(await calls.speech(prompt, options))}`;
    case "stt": {
      const { text } = await calls.transcribe(createTone(), options);
      return text === "" ? "nothing was heard in a second of a tone" : text;
    }
    default: {
      const images = purpose === "vision" ? [createTestImage()] : [];
      const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: prompt }, ...images] }];
      const parameters = { maxTokens: MAX_TEST_TOKENS };
      const isStreamed = onTextPart !== undefined;
      const call = calls.ask({ ...options, purpose, messages, isOnce: true, isStreamed, parameters });
      for await (const { type } of call.parts) if (type === "text") onTextPart?.();
      const answer = await call.answer;
      if (answer.failure) throw modelError(answer.failure);
      return answer.text;
    }
  }
}

/** Formats a ranking: the positions of the documents, best first. */
function toRanking(scores: readonly number[]): string {
  const places = scores.map((score, index) => ({ score, place: index + 1 }));
  return places
    .toSorted((a, b) => b.score - a.score)
    .map(({ place }) => place)
    .join(", ");
}

function describeSize({ bytes, mimeType }: GeneratedFile): string {
  return `${bytes.length} bytes of ${mimeType}`;
}

/** A queue with one model that records no health. */
const UNLIMITED_QUEUE: ModelQueue = {
  selectCandidates: async (queue) => ({ candidates: queue, isLastResort: true, exhausted: undefined }),
  mayTry: () => true,
  begin: () => () => {},
  view: () => Promise.reject(new Error("a trial has no health")),
  listRejectedTools: () => [],
  reset: () => false,
};

const NO_CACHE: EmbeddingCache = { read: async () => new Map(), add: async () => {} };

const SAMPLE_RATE = 16_000;
const WAV_HEADER = 44;

/** Creates one second of a tone, to test speech recognition. */
function createTone(): GeneratedFile {
  const file = Buffer.alloc(WAV_HEADER + SAMPLE_RATE * 2);
  file.write("RIFF", 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(SAMPLE_RATE * 2, 40);
  for (let at = 0; at < SAMPLE_RATE; at += 1) {
    file.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE)), WAV_HEADER + at * 2);
  }
  return { bytes: file, mimeType: "audio/wav" };
}

const IMAGE_SIZE = 32;

/** Creates a red square to test a vision model. */
function createTestImage() {
  const header = Buffer.from([0, 0, 0, IMAGE_SIZE, 0, 0, 0, IMAGE_SIZE, 8, 2, 0, 0, 0]);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(IMAGE_SIZE * 3, Buffer.from([220, 30, 30]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: IMAGE_SIZE }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [
    createPngChunk("IHDR", header),
    createPngChunk("IDAT", pixels),
    createPngChunk("IEND", Buffer.alloc(0)),
  ];
  const data = new Uint8Array(Buffer.concat([signature, ...chunks]));
  return { type: "file", mediaType: "image/png", data: { type: "data", data } } as const;
}

function createPngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "ascii"), content]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
