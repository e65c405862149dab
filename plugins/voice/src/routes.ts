import Joi from "@hapi/joi";
import { type Caller, type Part, type RouteTable, route, withPattern } from "@parley/core";
import { answerFields, bytes, serveFile, shape } from "@parley/core/http";
import { FORMATS, type Format, MAX_SPOKEN_CHARS, type Speech } from "./speech.ts";
import { voiceTexts } from "./texts.ts";
import { MAX_AUDIO_BYTES, type Transcribe } from "./transcription.ts";

const { text, number, count, flag, orNull, word } = answerFields;
/** Size of the boundaries and other fields of a multipart form. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

const modelId = Joi.string().max(100).description("Only this model");

interface SpeakRequest {
  readonly text: string;
  readonly voice?: string;
  readonly speed?: number;
  readonly format: Format;
  readonly model_id?: string;
}
const speakBody = Joi.object<SpeakRequest>({
  text: Joi.string()
    .trim()
    .min(1)
    .max(MAX_SPOKEN_CHARS)
    .required()
    .description("Markdown is read as people would read it"),
  voice: Joi.string().allow("").max(100).description("Default: the model's"),
  speed: Joi.number().min(0.25).max(4).description("Default: the model's"),
  format: Joi.string()
    .valid(...FORMATS)
    .default("mp3"),
  model_id: modelId,
});

interface TranscribeForm {
  readonly audio?: unknown;
  readonly language: string;
  readonly model_id?: string;
}
const transcribeForm = Joi.object<TranscribeForm>({
  audio: Joi.any().description("The recording, at most 25 MiB; the name `file` is taken too"),
  language: withPattern(Joi.string(), /^(auto|[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3})$/, {
    en: "must be a language such as en or zh-CN",
    zh: "须为语言，例如 en 或 zh-CN",
  }).default("auto"),
  model_id: modelId,
});

const spokenData = shape(
  {
    audio_url: text,
    filename: text,
    text,
    voice: text,
    speed: number,
    format: word(...FORMATS),
    size: count,
    duration_ms: orNull(count),
    cached: flag,
    model: text,
  },
  "Speech",
);
const transcriptData = shape({ text, language: orNull(text), duration_ms: orNull(count), model: text }, "Transcript");

export interface VoiceRoutesDeps {
  readonly speech: Pick<Speech, "speak" | "open">;
  readonly transcribe: Transcribe;
}

export function createVoiceRoutes({ speech, transcribe }: VoiceRoutesDeps): RouteTable {
  return [
    route({
      method: "POST",
      path: "/api/tts/synthesize",
      summary: "text to speech",
      scope: "chat",
      timeoutMs: false,
      body: speakBody,
      data: spokenData,
      run: ({ body: { model_id, ...body }, caller, signal }) =>
        speech.speak({ ...body, ...(model_id && { modelId: model_id }) }, { user: getUsername(caller), signal }),
    }),
    route({
      method: "GET",
      path: "/api/tts/audio/{filename}",
      summary: "get synthesized audio",
      reply: "raw",
      timeoutMs: false,
      data: { "audio/*": bytes },
      async run({ params, headers }) {
        const file = await speech.open(params.filename);
        const etag = `"${file.sha256.slice(0, 32)}"`;
        return serveFile({ ...file, etag }, { download: false, headers }, "private, max-age=3600");
      },
    }),
    route({
      method: "POST",
      path: "/api/stt/transcribe",
      summary: "speech to text",
      scope: "chat",
      payload: "multipart",
      maxBytes: MAX_AUDIO_BYTES + FORM_OVERHEAD_BYTES,
      timeoutMs: false,
      body: transcribeForm,
      data: transcriptData,
      run: ({ parts, body: { language, model_id }, caller, signal }) =>
        transcribe(
          getAudioPart(parts),
          { language, ...(model_id && { modelId: model_id }) },
          { user: getUsername(caller), signal },
        ),
    }),
  ];
}

function getAudioPart(parts: readonly Part[]): Uint8Array {
  const files = parts.filter(({ filename }) => filename !== undefined);
  const [first, ...others] = files;
  if (first?.name !== "audio" && first?.name !== "file")
    throw voiceTexts.error("bad_request", "missing", {}, { field: "audio" });
  if (others.length > 0) throw voiceTexts.error("bad_request", "one_recording", {}, { field: "audio" });
  return first.bytes;
}

function getUsername({ username }: Caller): string {
  return username;
}
