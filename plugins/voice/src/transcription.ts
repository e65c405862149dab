import { type CallOptions, deadline, type ModelCalls, type Transcript } from "@parley/core";
import { AUDIO_TYPES, audioKindOf, durationOf } from "./audio.ts";
import { voiceFailure } from "./said-failures.ts";
import { inTime } from "./time.ts";

const LONGEST_MS = 120_000;
/** What providers take. */
export const MAX_AUDIO_BYTES = 25 * 1024 * 1024;

export interface HearRequest {
  /** BCP 47, or `auto`. */
  readonly language?: string;
  readonly modelId?: string;
}

export interface Heard {
  /** "" where nobody spoke. */
  readonly text: string;
  readonly language: string | null;
  readonly duration_ms: number | null;
  readonly model: string;
}

/** Sound as text. `bad_request` for what is no sound of a known kind, `too_large`; else as models fail. */
export type Hear = (audio: Uint8Array, request: HearRequest, options: CallOptions) => Promise<Heard>;

export function createHear(calls: () => Pick<ModelCalls, "transcribe">): Hear {
  return async (audio, { language = "auto", modelId }, options) => {
    if (audio.length === 0) throw voiceFailure("bad_request", "empty", {}, { field: "audio" });
    if (audio.length > MAX_AUDIO_BYTES) throw voiceFailure("too_large", "large", {}, { field: "audio" });
    const kind = audioKindOf(audio);
    if (!kind || kind === "aac") throw voiceFailure("bad_request", "unknown_kind", {}, { field: "audio" });
    using limit = deadline(LONGEST_MS, options.signal);
    const asked = { ...options, language, signal: limit.signal, ...(modelId !== undefined && { modelId }) };
    const file = { bytes: audio, mimeType: AUDIO_TYPES[kind] };
    const said: Transcript = await inTime(limit.signal, calls().transcribe(file, asked));
    return {
      text: said.text.trim(),
      language: said.language,
      duration_ms: said.durationS === null ? durationOf(audio, kind) : Math.round(said.durationS * 1000),
      model: said.model.model,
    };
  };
}
