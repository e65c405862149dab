import { hash } from "node:crypto";
import {
  type CallOptions,
  type Clock,
  type Database,
  deadline,
  derivedId,
  type Files,
  isWithoutModel,
  type ModelCalls,
  type Models,
  notFound,
  type OpenFile,
} from "@parley/core";
import { type AudioKind, detectAudioKind, getDurationMs, joinAudio } from "./audio.ts";
import { splitIntoPieces, toSpeechText } from "./speech-text.ts";
import { createSpokenUses, type SpokenUses } from "./spoken-uses.ts";
import type { SpokenRow, VoiceTables } from "./tables.ts";
import { voiceTexts } from "./texts.ts";
import { withTimeout } from "./with-timeout.ts";

export const FORMATS = ["mp3", "wav", "opus", "aac", "flac"] as const;
export type Format = (typeof FORMATS)[number];

/** Formats whose pieces can be concatenated. */
const JOINABLE_FORMATS: ReadonlySet<Format> = new Set(["mp3", "wav", "aac"]);
const TIMEOUT_MS = 60_000;
/** Maximum characters spoken of a text, which is also a limit of providers. */
export const MAX_SPOKEN_CHARS = 4_000;
const FILENAME = /^tts_[0-9a-f]{32}\.(mp3|wav|opus|aac|flac)$/;

export interface SpeakOptions extends VoiceOptions {
  /** Text with its markup, which is not spoken. */
  readonly text: string;
}

export interface VoiceOptions {
  readonly voice?: string;
  readonly speed?: number;
  readonly format?: Format;
  readonly modelId?: string;
}

export interface SpokenAudio extends Omit<SpokenRow, "key" | "created_ms" | "duration_ms"> {
  readonly duration_ms: number | null;
  readonly audio_url: string;
  /** True when the audio was cached, and no model was called. */
  readonly cached: boolean;
}

export interface SpeechDeps {
  readonly database: () => Database;
  readonly files: () => Pick<Files, "find" | "put" | "open" | "remove">;
  readonly models: () => Pick<Models, "choose">;
  readonly calls: () => Pick<ModelCalls, "speech">;
  readonly clock: Clock;
  /** Retention of audio in milliseconds; older audio is not returned. */
  readonly retentionMs: number;
  /** Maximum total size; the oldest audio is removed first. */
  readonly maxBytes: number;
}

/** Speech synthesis with stored audio. */
export interface Speech {
  /** Speaks a text; `bad_request` without speakable text, `unavailable`, `timed_out` or `upstream_failed`. */
  speak(request: SpeakOptions, options: CallOptions): Promise<SpokenAudio>;
  /** Speaks a text that has no markup. */
  speakPiece(words: string, request: VoiceOptions, options: CallOptions): Promise<SpokenAudio>;
  /** Returns a longer text as one file, joined from the pieces spoken while it was written. */
  speakWhole(request: SpeakOptions, options: CallOptions): Promise<SpokenAudio>;
  /** Opens an audio file; `not_found` for another or a removed one. */
  open(filename: string): Promise<OpenFile>;
  /** Removes expired audio; returns the number of files. */
  removeExpired(): Promise<number>;
  /** Removes audio that is expired or over the size limit; returns the number of files. */
  prune(): Promise<number>;
  readonly sessionPart: SpokenUses["sessionPart"];
}

interface ResolvedRequest extends Required<Pick<SpeakOptions, "text" | "voice" | "speed" | "format">> {
  readonly key: string;
  readonly modelId: string;
  readonly timeoutMs: number;
}

export function createSpeech(deps: SpeechDeps): Speech {
  const { database, files, models, calls, clock, retentionMs, maxBytes } = deps;
  const tables = () => database().tables<VoiceTables>();
  const uses = createSpokenUses(database);
  /** Running syntheses, so that concurrent requests for the same text share one. */
  const pending = new Map<string, Promise<{ readonly row: SpokenRow; readonly isStored: boolean }>>();

  const resolveRequest = async (request: VoiceOptions, text: string): Promise<ResolvedRequest> => {
    const model = await chooseModel(models(), request.modelId);
    const voice = request.voice || (model.sound?.voice ?? "");
    const speed = request.speed ?? model.sound?.speed ?? 1;
    const { format = "mp3" } = request;
    const key = hash("sha256", JSON.stringify([text, voice, speed, format, model.modelId, model.model])).slice(0, 32);
    return { key, text, voice, speed, format, modelId: model.modelId, timeoutMs: model.parameters.timeoutMs };
  };
  const findStored = async (key: string): Promise<SpokenRow | undefined> => {
    const row = await tables().selectFrom("spoken").selectAll().where("key", "=", key).executeTakeFirst();
    if (!row || clock.now() - Number(row.created_ms) >= retentionMs) return undefined;
    return (await files().find(row.filename)) ? row : undefined;
  };
  const store = async (asked: ResolvedRequest, bytes: Uint8Array, model: string): Promise<SpokenRow> => {
    const kind = detectAudioKind(bytes);
    const format = kind && toFormat(kind);
    if (!format) throw voiceTexts.error("upstream_failed", "no_sound");
    const { key, text, voice, speed } = asked;
    const filename = `tts_${key}.${format}`;
    await files().remove(filename);
    const draft = { name: filename, safeName: filename, id: derivedId("file", filename, String(clock.now())) };
    const { size } = await files().put(bytes, draft);
    const duration_ms = getDurationMs(bytes, kind);
    const row = { key, filename, text, voice, speed, format, size, duration_ms, model, created_ms: clock.now() };
    const same = tables().deleteFrom("spoken").where("key", "=", key);
    await database().write([{ query: same }, { query: tables().insertInto("spoken").values(row) }]);
    return row;
  };
  const make = async (asked: ResolvedRequest, { signal: _, turn: __, ...who }: CallOptions): Promise<SpokenRow> => {
    const { text, voice, speed, format, modelId, timeoutMs } = asked;
    using limit = deadline(Math.min(TIMEOUT_MS, timeoutMs));
    const options = { ...who, voice, speed, format, signal: limit.signal, ...(modelId !== "" && { modelId }) };
    const made = await withTimeout(limit.signal, calls().speech(text, options));
    return await store(asked, made.bytes, made.model.model);
  };
  const speakOnce = async (
    asked: ResolvedRequest,
    making: () => Promise<SpokenRow>,
    options: CallOptions,
  ): Promise<SpokenAudio> => {
    const findOrMake = async () => {
      const found = await findStored(asked.key);
      return { row: found ?? (await making()), isStored: found !== undefined };
    };
    // One of several waiting callers cannot abort the work. They share the lookup too, or audio stored meanwhile would be created again.
    const work = pending.get(asked.key) ?? findOrMake().finally(() => pending.delete(asked.key));
    pending.set(asked.key, work);
    const { row, isStored } = await withTimeout(options.signal, work);
    await uses.addUse(row.key, options.session ?? "");
    return toSpokenAudio(row, isStored);
  };
  /** Removes rows with their files and returns their number; a file created again meanwhile stays. */
  const remove = async (rows: readonly Pick<SpokenRow, "key" | "filename" | "created_ms">[]) => {
    let removed = 0;
    for (const { key, filename, created_ms } of rows) {
      const query = tables().deleteFrom("spoken").where("key", "=", key).where("created_ms", "=", created_ms);
      const [gone] = await database().write([{ query }, { ...uses.removeUsesWrite(key), ifChanged: true }]);
      if (gone?.changes !== 1) continue;
      await files().remove(filename);
      removed += 1;
    }
    return removed;
  };
  const select = () => tables().selectFrom("spoken").select(["key", "filename", "size", "created_ms"]);
  const removeOver = async () =>
    remove(
      await select()
        .where("created_ms", "<=", clock.now() - retentionMs)
        .execute(),
    );
  const toWords = (text: string): string => {
    const words = toSpeechText(text);
    if (words !== "") return words;
    throw voiceTexts.error("bad_request", "nothing_to_say", {}, { field: "text" });
  };
  const speakWords = async (request: VoiceOptions, words: string, options: CallOptions): Promise<SpokenAudio> => {
    const asked = await resolveRequest(request, words);
    return speakOnce(asked, () => make(asked, options), options);
  };

  return {
    speak: (request, options) => speakWords(request, toWords(request.text), options),
    speakPiece: (words, request, options) => speakWords(request, words, options),
    async speakWhole(request, options) {
      const words = truncateAtSentence(toWords(request.text), MAX_SPOKEN_CHARS);
      const pieces = splitIntoPieces(words, true);
      if (pieces.length === 1 || !JOINABLE_FORMATS.has(request.format ?? "mp3"))
        return speakWords(request, words, options);
      const asked = await resolveRequest(request, words);
      const speakPieces = async () => {
        const spoken: SpokenAudio[] = [];
        for (const piece of pieces) spoken.push(await speakWords(request, piece, options));
        const sounds = await Promise.all(spoken.map(async ({ filename }) => (await files().open(filename)).bytes()));
        const [kind] = sounds.map(detectAudioKind);
        const whole =
          kind && sounds.every((one) => detectAudioKind(one) === kind) ? joinAudio(sounds, kind) : undefined;
        return whole ? store(asked, whole, spoken[0]?.model ?? "") : make(asked, options);
      };
      return speakOnce(asked, speakPieces, options);
    },
    async open(filename) {
      if (!FILENAME.test(filename)) throw notFound("speech", filename.slice(0, 100));
      const rows = tables().selectFrom("spoken").select("created_ms").where("filename", "=", filename);
      const row = await rows.executeTakeFirst();
      if (!row || clock.now() - Number(row.created_ms) >= retentionMs) throw notFound("speech", filename);
      return files().open(filename);
    },
    removeExpired: removeOver,
    async prune() {
      const over = await removeOver();
      let together = 0;
      const tooMuch = (await select().orderBy("created_ms", "desc").orderBy("key").execute()).filter(({ size }) => {
        together += Number(size);
        return together > maxBytes;
      });
      const removed = over + (await remove(tooMuch));
      const old = tables()
        .deleteFrom("heard")
        .where("created_ms", "<", clock.now() - retentionMs);
      await database().write([{ query: old }]);
      return removed;
    },
    sessionPart: uses.sessionPart,
  };
}

async function chooseModel(models: Pick<Models, "choose">, modelId: string | undefined) {
  if (modelId === undefined) return models.choose("tts");
  // If no model is configured, the named one does not exist either.
  const model = await models.choose("tts", modelId).catch((error: unknown) => {
    if (isWithoutModel(error)) return undefined;
    throw error;
  });
  if (model?.modelId !== modelId) throw notFound("model", modelId);
  return model;
}

function toFormat(kind: AudioKind): Format | undefined {
  if (kind === "ogg") return "opus";
  return kind === "m4a" || kind === "webm" ? undefined : kind;
}

function toSpokenAudio({ key, created_ms, ...row }: SpokenRow, cached: boolean): SpokenAudio {
  const size = Number(row.size);
  const duration_ms = row.duration_ms === null ? null : Number(row.duration_ms);
  return { ...row, size, duration_ms, audio_url: `/api/tts/audio/${row.filename}`, cached };
}

/** Truncates a text after the last sentence that fits. */
function truncateAtSentence(text: string, most: number): string {
  if (text.length <= most) return text;
  const fits = text.slice(0, most);
  const end = Math.max(...[". ", "! ", "? ", "。", "！", "？", "\n"].map((mark) => fits.lastIndexOf(mark)));
  return end > most / 2 ? fits.slice(0, end + 1).trim() : fits.replace(/[\ud800-\udbff]$/, "");
}
