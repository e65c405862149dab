import { type CallOptions, deadline, type ModelCalls, type Transcript } from "@parley/core";
import { AUDIO_TYPES, detectAudioKind, getDurationMs } from "./audio.ts";
import { voiceTexts } from "./texts.ts";
import { withTimeout } from "./with-timeout.ts";

const TIMEOUT_MS = 120_000;
/** Size limit of providers. */
export const MAX_AUDIO_BYTES = 25 * 1024 * 1024;

export interface TranscribeOptions {
  /** BCP 47, or `auto`. */
  readonly language?: string;
  readonly modelId?: string;
}

export interface Transcription {
  /** The transcript; empty when nobody spoke. */
  readonly text: string;
  readonly language: string | null;
  readonly duration_ms: number | null;
  readonly model: string;
}

/** Transcribes audio. `bad_request` for an unknown format, `too_large`; else the errors of models. */
export type Transcribe = (
  audio: Uint8Array,
  request: TranscribeOptions,
  options: CallOptions,
) => Promise<Transcription>;

export function createTranscribe(calls: () => Pick<ModelCalls, "transcribe">): Transcribe {
  return async (audio, { language = "auto", modelId }, options) => {
    if (audio.length === 0) throw voiceTexts.error("bad_request", "empty", {}, { field: "audio" });
    if (audio.length > MAX_AUDIO_BYTES) throw voiceTexts.error("too_large", "large", {}, { field: "audio" });
    const kind = detectAudioKind(audio);
    if (!kind || kind === "aac") throw voiceTexts.error("bad_request", "unknown_kind", {}, { field: "audio" });
    using limit = deadline(TIMEOUT_MS, options.signal);
    const asked = { ...options, language, signal: limit.signal, ...(modelId !== undefined && { modelId }) };
    const file = { bytes: audio, mimeType: AUDIO_TYPES[kind] };
    const transcript: Transcript = await withTimeout(limit.signal, calls().transcribe(file, asked));
    return {
      text: transcript.text.trim(),
      language: transcript.language,
      duration_ms: transcript.durationS === null ? getDurationMs(audio, kind) : Math.round(transcript.durationS * 1000),
      model: transcript.model.model,
    };
  };
}
