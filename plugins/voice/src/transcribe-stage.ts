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
  type Turn,
  type TurnContext,
  type TurnStage,
  toLocalized,
  toTraceMessage,
  withEffects,
} from "@parley/core";
import { TRANSCRIBE_ENABLED } from "./settings.ts";
import type { VoiceTables } from "./tables.ts";
import { voiceTexts } from "./texts.ts";
import { MAX_AUDIO_BYTES, type Transcribe } from "./transcription.ts";

/** Maximum number of recordings in one message. */
const MAX_RECORDINGS = 5;

export interface TranscribeStageDeps {
  readonly transcribe: Transcribe;
  readonly files: () => Files;
  readonly database: () => Database;
  readonly settings: () => Pick<Settings, "get">;
  readonly clock: Clock;
  /** Timeout for all recordings of one message, because the turn waits for them. */
  readonly timeoutMs: number;
}

interface Transcript {
  /** The transcript; null when the recording was not transcribed. */
  readonly text: string | null;
  readonly language: string | null;
}
const NO_TRANSCRIPT: Transcript = { text: null, language: null };

/** Creates the stage that transcribes audio before other stages read the message. The audio remains attached. */
export function createTranscribeStage(deps: TranscribeStageDeps): TurnStage {
  const { settings, database, clock } = deps;
  return {
    id: "voice.hear",
    phase: "prepare",
    after: ["files.fetch-sound"],
    concerns: ({ inbound: { kind, addressed }, attachments }) =>
      kind === "message" && addressed && attachments.some(isStoredAudio),
    async run(turn, context) {
      using limit = deadline(deps.timeoutMs, context.signal);
      const isOn = settings().get(TRANSCRIBE_ENABLED);
      const transcripts: { readonly id: string; readonly words: Transcript }[] = [];
      const attachments: Attachment[] = [];
      for (const [index, attachment] of turn.attachments.entries()) {
        const id = derivedId("heard", turn.traceId, String(index));
        const isTranscribable = isOn && isStoredAudio(attachment) && transcripts.length < MAX_RECORDINGS;
        const words = isTranscribable
          ? await getTranscript(deps, turn, attachment, id, context, limit.signal)
          : NO_TRANSCRIPT;
        if (isTranscribable) transcripts.push({ id, words });
        attachments.push(isStoredAudio(attachment) ? withTranscript(attachment, words) : attachment);
      }
      const texts = transcripts.map(({ words }) => words.text ?? "").filter((text) => text !== "");
      const text = [turn.text, ...texts].filter((part) => part !== "").join("\n");
      return withEffects({ ...turn, text, attachments }, ...storeEffects(database(), transcripts, clock.now()));
    },
  };
}

function isStoredAudio({ type, url }: Attachment): boolean {
  return type === "audio" && isStoredUrl(url);
}

/** Adds the transcript to an attachment, for the model and for readers. */
function withTranscript(attachment: Attachment, { text, language }: Transcript): Attachment {
  const named = language === null ? {} : { language };
  return { ...attachment, meta: { ...attachment.meta, transcript: text, ...named } };
}

/**
 * Stores transcripts independently of the reply, so that a repeated turn does not transcribe again; removed with the
 * reply, since the text is in the message by then.
 */
function storeEffects(
  database: Database,
  transcripts: readonly { readonly id: string; readonly words: Transcript }[],
  created_ms: number,
): readonly Effect[] {
  const rows = transcripts.flatMap(({ id, words: { text, language } }) =>
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

async function getTranscript(
  deps: TranscribeStageDeps,
  turn: Turn,
  attachment: Attachment,
  id: string,
  context: TurnContext,
  signal: AbortSignal,
): Promise<Transcript> {
  const known = context.isRepeated ? await findStoredTranscript(deps.database(), id) : undefined;
  if (known) return known;
  return context.external({
    kind: "model",
    name: "voice.hear",
    key: id,
    ask: () => transcribeAttachment(deps, turn, attachment, context, signal),
  });
}

async function transcribeAttachment(
  { transcribe, files }: TranscribeStageDeps,
  { session, inbound, traceId }: Turn,
  { url, size = 0 }: Attachment,
  context: TurnContext,
  signal: AbortSignal,
): Promise<Transcript> {
  try {
    if (size > MAX_AUDIO_BYTES) throw voiceTexts.error("too_large", "message_large");
    const file = await files().open(url);
    const { text, language } = await transcribe(
      await file.bytes(),
      {},
      {
        session: session.id,
        user: inbound.sender.name || inbound.sender.id,
        traceId,
        // The transcription is one external result.
        turn: { trace: context.trace, record: context.record, external: ({ ask }) => ask() },
        signal,
      },
    );
    return { text, language };
  } catch (error) {
    context.signal.throwIfAborted();
    const why = AppError.is(error) ? toLocalized(error) : voiceTexts.localized("trace_unreadable");
    context.trace({ status: "parsed", ...toTraceMessage(voiceTexts.message("trace_not_transcribed", { why })) });
    return NO_TRANSCRIPT;
  }
}

async function findStoredTranscript(database: Database, id: string): Promise<Transcript | undefined> {
  const rows = database.tables<VoiceTables>().selectFrom("heard").select(["text", "language"]);
  return rows.where("id", "=", id).executeTakeFirst();
}
