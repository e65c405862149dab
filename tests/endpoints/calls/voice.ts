import { createRecording } from "../../harness/servers/voice-server.ts";
import type { Call, Seed } from "../calls.ts";

const FORM = { "content-type": "multipart/form-data; boundary=part" };

/** A form with one recording; `more` are fields beside it. */
export function buildAudioForm(bytes: Uint8Array, more: Readonly<Record<string, string>> = {}, name = "audio"): Buffer {
  const fields = Object.entries(more).map(
    ([field, value]) => `--part\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `--part\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\ncontent-type: audio/wav\r\n\r\n`;
  return Buffer.concat([Buffer.from(fields.join("") + head), bytes, Buffer.from("\r\n--part--\r\n")]);
}

function createModel(purpose: "tts" | "stt") {
  return async ({ api, voice }: Seed): Promise<Readonly<Record<string, string>>> => {
    const name = `voice ${purpose}`;
    const path = `/api/ai-models/by-purpose/${purpose}?limit=500`;
    const { items } = await api.get<{ items: readonly { id: string; name: string }[] }>(path);
    const known = items.find((one) => one.name === name);
    if (known) return { model_id: known.id };
    const fields = { name, model: "voice", purpose, base_url: voice.baseUrl, retry_count: 0 };
    const { id } = await api.post<{ id: string }>("/api/ai-models", fields);
    await api.post(`/api/ai-models/${id}/apply`, {});
    return { model_id: id };
  };
}

/** A working call of every route of the voice. */
export const VOICE_CALLS: Readonly<Record<string, Call>> = {
  "POST /api/tts/synthesize": {
    params: createModel("tts"),
    body: { text: "hello" },
    gives: ["audio_url", "filename", "text", "voice", "speed", "format", "size", "duration_ms", "cached", "model"],
  },
  "GET /api/tts/audio/{filename}": {
    async params(seed) {
      await createModel("tts")(seed);
      const { filename } = await seed.api.post<{ filename: string }>("/api/tts/synthesize", { text: "hello" });
      return { filename };
    },
    isRaw: true,
    type: /^audio\/wav$/,
    gives: ["RIFF"],
  },
  "POST /api/stt/transcribe": {
    params: createModel("stt"),
    headers: FORM,
    body: buildAudioForm(createRecording("hello", "ogg")).toString("latin1"),
    gives: ["text", "language", "duration_ms", "model"],
    except: { unknownKey: "it is a form" },
  },
};
