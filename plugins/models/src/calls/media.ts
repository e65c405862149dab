import { InvalidResponseDataError } from "@ai-sdk/provider";
import {
  type AnsweringModel,
  type GeneratedFile,
  type GeneratedImages,
  type GeneratedSpeech,
  type ModelCalls,
  type ModelPurpose,
  modelError,
  notFound,
  type OpenedModel,
  type SoundOptions,
  type Transcript,
  type Usage,
} from "@parley/core";
import type { Catalog } from "../records/catalog.ts";
import type { ConfiguredModel } from "../records/configured-model.ts";
import { createSecretMask } from "../stream/secret-mask.ts";
import { modelsTexts } from "../texts.ts";
import type { Attempt, AttemptOutcome } from "./attempt.ts";
import type { Attempts } from "./attempts.ts";
import { withTimeout } from "./with-timeout.ts";

const SIZE_PATTERN = /^[1-9]\d{1,4}x[1-9]\d{1,4}$/;
const MAX_IMAGES = 10;
const MAX_SPEECH_CHARS = 20_000;
const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };
/** Media types of speech by format, used when the provider names none. */
const AUDIO_TYPES: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  wav: "audio/wav",
  opus: "audio/ogg",
  ogg: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  pcm: "audio/L16",
};

export interface MediaDeps {
  readonly catalog: Pick<Catalog, "listQueue" | "findConfigured">;
  readonly attempts: Attempts;
}

interface AttemptValue<Result> {
  readonly result: Result;
  readonly tokens?: AttemptOutcome<unknown>["tokens"];
}

/** Creates the calls for pictures, speech and transcripts. */
export function createMedia({ catalog, attempts }: MediaDeps): Pick<ModelCalls, "image" | "speech" | "transcribe"> {
  const findQueue = async (purpose: ModelPurpose, modelId: string | undefined) => {
    if (modelId === undefined) return catalog.listQueue(purpose);
    const only = await catalog.findConfigured(purpose, modelId);
    if (only?.modelId !== modelId) throw notFound("model", modelId);
    return [only];
  };
  const ask = async <Result>(
    purpose: ModelPurpose,
    options: SoundOptions,
    once: (attempt: Attempt, configured: ConfiguredModel, signal: AbortSignal) => Promise<AttemptValue<Result>>,
  ): Promise<{ readonly result: Result; readonly model: AnsweringModel; readonly usage: Usage }> => {
    const queue = await findQueue(purpose, options.modelId);
    const done = await attempts<Result | undefined>({
      purpose,
      options,
      queue,
      emptyResult: undefined,
      async run(attempt) {
        // Providers report what files cost only afterwards.
        await attempt.reserve(() => NO_TOKENS);
        const configured = queue.find(({ modelId }) => modelId === attempt.model.modelId) as ConfiguredModel;
        const { result, tokens = NO_TOKENS } = await withTimeout(
          attempt.model.parameters.timeoutMs,
          attempt.signal,
          (signal) => once(attempt, configured, signal),
        );
        return { result, tokens };
      },
    });
    options.signal.throwIfAborted();
    if (done.failure) throw modelError(done.failure);
    return { model: done.model, usage: done.usage, result: done.result as Result };
  };

  return {
    async image(prompt, { size = "1024x1024", count = 1, ...options }): Promise<GeneratedImages> {
      if (!SIZE_PATTERN.test(size)) throw modelsTexts.error("bad_request", "size", {}, { field: "size" });
      if (!Number.isInteger(count) || count < 1 || count > MAX_IMAGES)
        throw modelsTexts.error("bad_request", "times", { most: MAX_IMAGES }, { field: "count" });
      const { result, ...attribution } = await ask("image_generation", options, async ({ model }, _, abortSignal) => {
        const { images, usage } = await requireModelKind(model, "image").doGenerate({
          prompt,
          n: count,
          size: size as `${number}x${number}`,
          aspectRatio: undefined,
          seed: undefined,
          files: undefined,
          mask: undefined,
          providerOptions: {},
          abortSignal,
        });
        const made = images.map(toBytes).map((bytes) => ({ bytes, mimeType: detectImageType(bytes) }));
        if (made.length === 0)
          throw new InvalidResponseDataError({ data: images, message: "the model made no picture" });
        const tokens = { input_tokens: usage?.inputTokens ?? 0, output_tokens: usage?.outputTokens ?? 0 };
        return { result: made, tokens };
      });
      return { images: result, ...attribution };
    },
    async speech(text, { voice, format, speed, language, ...options }): Promise<GeneratedSpeech> {
      if (text.trim() === "" || text.length > MAX_SPEECH_CHARS)
        throw modelsTexts.error("bad_request", "characters", { most: MAX_SPEECH_CHARS }, { field: "text" });
      const { result, model } = await ask("tts", options, async ({ model: one }, { fields }, abortSignal) => {
        const voiceName = voice ?? fields.voice;
        const outputFormat = format ?? (fields.audio_format || "mp3");
        const { audio, response } = await requireModelKind(one, "speech").doGenerate({
          text,
          outputFormat,
          speed: speed ?? fields.speed,
          // "default" means the provider's own default voice.
          ...(voiceName !== "" && voiceName !== "default" && { voice: voiceName }),
          ...(language !== undefined && { language }),
          abortSignal,
        });
        const bytes = toBytes(audio);
        if (bytes.length === 0) throw new InvalidResponseDataError({ data: null, message: "the model said nothing" });
        // Providers that do not support the format return another one.
        const contentType = /^audio\/[\w.+-]+/.exec(response.headers?.["content-type"] ?? "")?.[0];
        return { result: { bytes, mimeType: contentType ?? AUDIO_TYPES[outputFormat] ?? "audio/mpeg" } };
      });
      return { ...result, model };
    },
    async transcribe({ bytes, mimeType }, { language, ...options }): Promise<Transcript> {
      const transcribeLive = async (): Promise<Transcript> => {
        const { result, model } = await ask("stt", options, async ({ model: one }, { fields }, abortSignal) => {
          const requestedLanguage = language ?? fields.language;
          const transcript = await requireModelKind(one, "transcription").doGenerate({
            audio: bytes,
            mediaType: mimeType,
            ...(requestedLanguage !== "" &&
              requestedLanguage !== "auto" && { providerOptions: { openai: { language: requestedLanguage } } }),
            abortSignal,
          });
          const { language: spoken = null, durationInSeconds = null } = transcript;
          const text = createSecretMask(one.secrets ?? []).maskText(transcript.text);
          return { result: { text, language: spoken, durationS: durationInSeconds } };
        });
        return { ...result, model };
      };
      const { turn } = options;
      return turn ? turn.external({ kind: "model", name: "stt", ask: transcribeLive }) : transcribeLive();
    },
  };
}

function requireModelKind<Kind extends "image" | "speech" | "transcription">(
  model: Attempt["model"],
  kind: Kind,
): NonNullable<OpenedModel[Kind]> {
  const found = model[kind];
  if (!found) throw modelsTexts.error("unavailable", "not_for", { id: model.protocol });
  return found as NonNullable<OpenedModel[Kind]>;
}

function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new Uint8Array(Buffer.from(data, "base64")) : data;
}

const IMAGE_SIGNATURES: readonly (readonly [start: readonly number[], type: string])[] = [
  [[0x89, 0x50, 0x4e, 0x47], "image/png"],
  [[0xff, 0xd8, 0xff], "image/jpeg"],
  [[0x52, 0x49, 0x46, 0x46], "image/webp"],
];

/** Detects the image type by its signature, because providers may name a wrong one. */
function detectImageType(bytes: GeneratedFile["bytes"]): string {
  const found = IMAGE_SIGNATURES.find(([start]) => start.every((byte, at) => bytes[at] === byte));
  return found?.[1] ?? "application/octet-stream";
}
