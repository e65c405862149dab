import {
  AppError,
  type Attachment,
  type Clock,
  type Database,
  deadline,
  derivedId,
  type Effect,
  type Files,
  isStoredUrl,
  type Settings,
  saidOf,
  type Turn,
  type TurnContext,
  type TurnStage,
  withEffects,
} from "@parley/core";
import { voiceFailure } from "./said-failures.ts";
import { TRANSCRIBE } from "./settings.ts";
import type { VoiceTables } from "./tables.ts";
import { type Hear, MAX_AUDIO_BYTES } from "./transcription.ts";

/** More than one person says at once. */
const MOST = 5;

export interface HearStageParts {
  readonly hear: Hear;
  readonly files: () => Files;
  readonly database: () => Database;
  readonly settings: () => Pick<Settings, "get">;
  readonly clock: Clock;
  /** All recordings of one message together; the turn waits for it. */
  readonly wholeMs: number;
}

interface Words {
  /** Null: not transcribed. */
  readonly text: string | null;
  readonly language: string | null;
}
const NO_WORDS: Words = { text: null, language: null };

/** Makes text of what came as sound, before anybody looks at the message. The sound stays with it. */
export function hearStage(parts: HearStageParts): TurnStage {
  const { settings, database, clock } = parts;
  return {
    id: "voice.hear",
    phase: "prepare",
    after: ["files.fetch-sound"],
    async run(turn, context) {
      const { kind, addressed } = turn.inbound;
      if (kind !== "message" || !addressed || !turn.attachments.some(isSound)) return turn;
      using limit = deadline(parts.wholeMs, context.signal);
      const isOn = settings().get(TRANSCRIBE);
      const heard: { readonly id: string; readonly words: Words }[] = [];
      const attachments: Attachment[] = [];
      for (const [index, attachment] of turn.attachments.entries()) {
        const id = derivedId("heard", turn.traceId, String(index));
        const isHeard = isOn && isSound(attachment) && heard.length < MOST;
        const words = isHeard ? await wordsOf(parts, turn, attachment, id, context, limit.signal) : NO_WORDS;
        if (isHeard) heard.push({ id, words });
        attachments.push(isSound(attachment) ? withTranscript(attachment, words) : attachment);
      }
      const said = heard.map(({ words }) => words.text ?? "").filter((text) => text !== "");
      const text = [turn.text, ...said].filter((part) => part !== "").join("\n");
      return withEffects({ ...turn, text, attachments }, ...keeping(database(), heard, clock.now()));
    },
  };
}

function isSound({ type, url }: Attachment): boolean {
  return type === "audio" && isStoredUrl(url);
}

/** What the model and those who read are told of it. */
function withTranscript(attachment: Attachment, { text, language }: Words): Attachment {
  const named = language === null ? {} : { language };
  return { ...attachment, meta: { ...attachment.meta, transcript: text, ...named } };
}

/** Stands by itself: a turn that runs again does not listen again. With the answer it goes: the words are in the message. */
function keeping(
  database: Database,
  heard: readonly { readonly id: string; readonly words: Words }[],
  created_ms: number,
): readonly Effect[] {
  const rows = heard.flatMap(({ id, words: { text, language } }) =>
    text === null ? [] : [{ id, text, language, created_ms }],
  );
  if (rows.length === 0) return [];
  const query = database
    .tables<VoiceTables>()
    .insertInto("heard")
    .values(rows)
    .onConflict((row) => row.column("id").doNothing());
  const over = database
    .tables<VoiceTables>()
    .deleteFrom("heard")
    .where(
      "id",
      "in",
      rows.map(({ id }) => id),
    );
  return [{ isEarly: true, writes: [{ query }] }, { writes: [{ query: over }] }];
}

async function wordsOf(
  parts: HearStageParts,
  turn: Turn,
  attachment: Attachment,
  id: string,
  context: TurnContext,
  signal: AbortSignal,
): Promise<Words> {
  const known = context.isRepeated ? await keptWords(parts.database(), id) : undefined;
  if (known) return known;
  return context.external({
    kind: "model",
    name: "voice.hear",
    key: id,
    ask: () => listened(parts, turn, attachment, context, signal),
  });
}

async function listened(
  { hear, files }: HearStageParts,
  { session, inbound, traceId }: Turn,
  { url, size = 0 }: Attachment,
  context: TurnContext,
  signal: AbortSignal,
): Promise<Words> {
  try {
    if (size > MAX_AUDIO_BYTES) throw voiceFailure("too_large", "message_large");
    const file = await files().open(url);
    const { text, language } = await hear(
      await file.bytes(),
      {},
      {
        session: session.id,
        user: inbound.sender.name || inbound.sender.id,
        traceId,
        // The whole of it is one answer from outside.
        turn: { trace: context.trace, record: context.record, external: ({ ask }) => ask() },
        signal,
      },
    );
    return { text, language };
  } catch (error) {
    context.signal.throwIfAborted();
    const reason = AppError.is(error) ? error.message : "it could not be read";
    const metadata = AppError.is(error) && { metadata: { why: saidOf(error) } };
    context.trace({ status: "parsed", message: `a voice message was not transcribed: ${reason}`, ...metadata });
    return NO_WORDS;
  }
}

async function keptWords(database: Database, id: string): Promise<Words | undefined> {
  const rows = database.tables<VoiceTables>().selectFrom("heard").select(["text", "language"]);
  return rows.where("id", "=", id).executeTakeFirst();
}
