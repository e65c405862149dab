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
import { type AudioKind, audioKindOf, durationOf, joined } from "./audio.ts";
import { voiceFailure } from "./said-failures.ts";
import { piecesOf, speakable } from "./speakable.ts";
import { createSpokenUses, type SpokenUses } from "./spoken-uses.ts";
import type { SpokenRow, VoiceTables } from "./tables.ts";
import { inTime } from "./time.ts";

export const FORMATS = ["mp3", "wav", "opus", "aac", "flac"] as const;
export type Format = (typeof FORMATS)[number];

/** What can be put together from pieces. */
const JOINED: ReadonlySet<Format> = new Set(["mp3", "wav", "aac"]);
const LONGEST_MS = 60_000;
/** More than this is not said: nobody listens, and providers take no more at once. */
export const MOST_SPOKEN = 4_000;
const FILENAME = /^tts_[0-9a-f]{32}\.(mp3|wav|opus|aac|flac)$/;

export interface SayRequest extends SayHow {
  /** As people wrote it: marks are left out. */
  readonly text: string;
}

export interface SayHow {
  readonly voice?: string;
  readonly speed?: number;
  readonly format?: Format;
  readonly modelId?: string;
}

export interface Spoken extends Omit<SpokenRow, "key" | "created_ms" | "duration_ms"> {
  readonly duration_ms: number | null;
  readonly audio_url: string;
  /** True: no model was asked. */
  readonly cached: boolean;
}

export interface SpeechParts {
  readonly database: () => Database;
  readonly files: () => Pick<Files, "find" | "put" | "open" | "remove">;
  readonly models: () => Pick<Models, "choose">;
  readonly calls: () => Pick<ModelCalls, "speech">;
  readonly clock: Clock;
  /** What is older is not given any more. */
  readonly keepMs: number;
  /** What is more is removed, the oldest first. */
  readonly mostBytes: number;
}

/** Text as sound, kept for a while. */
export interface Speech {
  /** `bad_request` when nothing of it can be said, `unavailable` without a model, `timed_out`, `upstream_failed`. */
  say(request: SayRequest, options: CallOptions): Promise<Spoken>;
  /** The same for words that are nothing but words already. */
  sayPiece(words: string, request: SayHow, options: CallOptions): Promise<Spoken>;
  /** A longer text as one file, of the pieces that were said while it was written. */
  sayWhole(request: SayRequest, options: CallOptions): Promise<Spoken>;
  /** `not_found` for whatever is no file of speech, or none any more. */
  open(filename: string): Promise<OpenFile>;
  /** Removes what is too old; gives how many. */
  removeOver(): Promise<number>;
  /** Removes what is too old or too much; gives how many. */
  prune(): Promise<number>;
  readonly ofSession: SpokenUses["ofSession"];
}

interface Asked extends Required<Pick<SayRequest, "text" | "voice" | "speed" | "format">> {
  readonly key: string;
  readonly modelId: string;
  readonly timeoutMs: number;
}

export function createSpeech(parts: SpeechParts): Speech {
  const { database, files, models, calls, clock, keepMs, mostBytes } = parts;
  const tables = () => database().tables<VoiceTables>();
  const uses = createSpokenUses(database);
  /** The same is said once, however many ask for it at a time. */
  const underWay = new Map<string, Promise<SpokenRow>>();

  const askedFor = async (request: SayHow, text: string): Promise<Asked> => {
    const model = await chosen(models(), request.modelId);
    const voice = request.voice || (model.sound?.voice ?? "");
    const speed = request.speed ?? model.sound?.speed ?? 1;
    const { format = "mp3" } = request;
    const key = hash("sha256", JSON.stringify([text, voice, speed, format, model.modelId, model.model])).slice(0, 32);
    return { key, text, voice, speed, format, modelId: model.modelId, timeoutMs: model.parameters.timeoutMs };
  };
  const kept = async (key: string): Promise<SpokenRow | undefined> => {
    const row = await tables().selectFrom("spoken").selectAll().where("key", "=", key).executeTakeFirst();
    if (!row || clock.now() - Number(row.created_ms) >= keepMs) return undefined;
    return (await files().find(row.filename)) ? row : undefined;
  };
  const store = async (asked: Asked, bytes: Uint8Array, model: string): Promise<SpokenRow> => {
    const kind = audioKindOf(bytes);
    const format = kind && formatOf(kind);
    if (!format) throw voiceFailure("upstream_failed", "no_sound");
    const { key, text, voice, speed } = asked;
    const filename = `tts_${key}.${format}`;
    await files().remove(filename);
    const draft = { name: filename, safeName: filename, id: derivedId("file", filename, String(clock.now())) };
    const { size } = await files().put(bytes, draft);
    const duration_ms = durationOf(bytes, kind);
    const row = { key, filename, text, voice, speed, format, size, duration_ms, model, created_ms: clock.now() };
    const same = tables().deleteFrom("spoken").where("key", "=", key);
    await database().write([{ query: same }, { query: tables().insertInto("spoken").values(row) }]);
    return row;
  };
  const make = async (asked: Asked, { signal: _, turn: __, ...who }: CallOptions): Promise<SpokenRow> => {
    const { text, voice, speed, format, modelId, timeoutMs } = asked;
    using limit = deadline(Math.min(LONGEST_MS, timeoutMs));
    const options = { ...who, voice, speed, format, signal: limit.signal, ...(modelId !== "" && { modelId }) };
    const made = await inTime(limit.signal, calls().speech(text, options));
    return await store(asked, made.bytes, made.model.model);
  };
  /** `making` is not ended by one who asked: others may wait for the same. */
  const once = async (key: string, making: () => Promise<SpokenRow>, signal: AbortSignal): Promise<SpokenRow> => {
    const work = underWay.get(key) ?? making().finally(() => underWay.delete(key));
    underWay.set(key, work);
    return inTime(signal, work);
  };
  const saidOnce = async (asked: Asked, making: () => Promise<SpokenRow>, options: CallOptions): Promise<Spoken> => {
    const found = await kept(asked.key);
    const row = found ?? (await once(asked.key, making, options.signal));
    await uses.note(row.key, options.session ?? "");
    return spokenOf(row, found !== undefined);
  };
  /** How many of them went: what was said anew meanwhile stays. */
  const remove = async (rows: readonly Pick<SpokenRow, "key" | "filename" | "created_ms">[]) => {
    let removed = 0;
    for (const { key, filename, created_ms } of rows) {
      const query = tables().deleteFrom("spoken").where("key", "=", key).where("created_ms", "=", created_ms);
      const [gone] = await database().write([{ query }, { ...uses.forgetting(key), ifChanged: true }]);
      if (gone?.changes !== 1) continue;
      await files().remove(filename);
      removed += 1;
    }
    return removed;
  };
  const stored = () => tables().selectFrom("spoken").select(["key", "filename", "size", "created_ms"]);
  const removeOver = async () =>
    remove(
      await stored()
        .where("created_ms", "<=", clock.now() - keepMs)
        .execute(),
    );
  const wordsOf = (text: string): string => {
    const words = speakable(text);
    if (words !== "") return words;
    throw voiceFailure("bad_request", "nothing_to_say", {}, { field: "text" });
  };
  const sayWords = async (request: SayHow, words: string, options: CallOptions): Promise<Spoken> => {
    const asked = await askedFor(request, words);
    return saidOnce(asked, () => make(asked, options), options);
  };

  return {
    say: (request, options) => sayWords(request, wordsOf(request.text), options),
    sayPiece: (words, request, options) => sayWords(request, words, options),
    async sayWhole(request, options) {
      const words = cutTo(wordsOf(request.text), MOST_SPOKEN);
      const pieces = piecesOf(words, true);
      if (pieces.length === 1 || !JOINED.has(request.format ?? "mp3")) return sayWords(request, words, options);
      const asked = await askedFor(request, words);
      const making = async () => {
        const said: Spoken[] = [];
        for (const piece of pieces) said.push(await sayWords(request, piece, options));
        const sounds = await Promise.all(said.map(async ({ filename }) => (await files().open(filename)).bytes()));
        const [kind] = sounds.map(audioKindOf);
        const whole = kind && sounds.every((one) => audioKindOf(one) === kind) ? joined(sounds, kind) : undefined;
        return whole ? store(asked, whole, said[0]?.model ?? "") : make(asked, options);
      };
      return saidOnce(asked, making, options);
    },
    async open(filename) {
      if (!FILENAME.test(filename)) throw notFound("speech", filename.slice(0, 100));
      const rows = tables().selectFrom("spoken").select("created_ms").where("filename", "=", filename);
      const row = await rows.executeTakeFirst();
      if (!row || clock.now() - Number(row.created_ms) >= keepMs) throw notFound("speech", filename);
      return files().open(filename);
    },
    removeOver,
    async prune() {
      const over = await removeOver();
      let together = 0;
      const tooMuch = (await stored().orderBy("created_ms", "desc").orderBy("key").execute()).filter(({ size }) => {
        together += Number(size);
        return together > mostBytes;
      });
      const removed = over + (await remove(tooMuch));
      const old = tables()
        .deleteFrom("heard")
        .where("created_ms", "<", clock.now() - keepMs);
      await database().write([{ query: old }]);
      return removed;
    },
    ofSession: uses.ofSession,
  };
}

async function chosen(models: Pick<Models, "choose">, modelId: string | undefined) {
  if (modelId === undefined) return models.choose("tts");
  // Without any model the one that is named is not there either.
  const model = await models.choose("tts", modelId).catch((error: unknown) => {
    if (isWithoutModel(error)) return undefined;
    throw error;
  });
  if (model?.modelId !== modelId) throw notFound("model", modelId);
  return model;
}

function formatOf(kind: AudioKind): Format | undefined {
  if (kind === "ogg") return "opus";
  return kind === "m4a" || kind === "webm" ? undefined : kind;
}

function spokenOf({ key, created_ms, ...row }: SpokenRow, cached: boolean): Spoken {
  const size = Number(row.size);
  const duration_ms = row.duration_ms === null ? null : Number(row.duration_ms);
  return { ...row, size, duration_ms, audio_url: `/api/tts/audio/${row.filename}`, cached };
}

/** To the last sentence that fits. */
function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const fits = text.slice(0, most);
  const end = Math.max(...[". ", "! ", "? ", "。", "！", "？", "\n"].map((mark) => fits.lastIndexOf(mark)));
  return end > most / 2 ? fits.slice(0, end + 1).trim() : fits.replace(/[\ud800-\udbff]$/, "");
}
