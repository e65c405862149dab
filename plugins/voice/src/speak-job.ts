import Joi from "@hapi/joi";
import {
  AppError,
  type Attachment,
  BY_SERVICE,
  type Effect,
  type Gateway,
  type HistoryEntry,
  isWithoutModel,
  type JobContext,
  type JobKind,
  type Jobs,
  jobKind,
  type Message,
  type Session,
  type Sessions,
  type Settings,
  type Turn,
  type TurnStage,
  toItemFailure,
  toPlatformConversation,
  withEffects,
} from "@parley/core";
import { ANSWER_IN_KIND, SPEAK_ENABLED, SPOKEN_CHANNELS } from "./settings.ts";
import type { Speech, SpokenAudio, VoiceOptions } from "./speech.ts";
import { voiceTexts } from "./texts.ts";

const SPEAK_JOB = "voice.speak";
const TIMEOUT_MS = 180_000;
/** Few retries, because audio long after its text is useless. */
const RETRY = { attempts: 2, firstDelayMs: 3_000, maxDelayMs: 3_000 };

interface SpeakJobData {
  readonly session_id: string;
  readonly message_id: string;
  readonly trace_id: string;
  /** True when the audio is also sent to the channel. */
  readonly is_sent: boolean;
}

export interface SpeakStageDeps {
  readonly settings: () => Pick<Settings, "get">;
  readonly jobs: () => Pick<Jobs, "effect">;
}

/** Creates the stage that adds a job to speak the reply, if that is enabled. The text does not wait for the audio. */
export function createSpeakStage({ settings, jobs }: SpeakStageDeps): TurnStage {
  return {
    id: "voice.speak",
    phase: "after",
    concerns: (turn) =>
      shouldSpeak(turn, settings()) && (!isSentToChannel(turn) || turn.capabilities.supports_file_send),
    async run(turn) {
      const isSent = isSentToChannel(turn);
      const answers = (turn.recorded ?? []).filter(
        ({ role, kind, content }) => role === "assistant" && kind === "normal" && content !== "",
      );
      const effects = answers.map((message): Effect => {
        const { session_id, id: message_id } = message;
        const order: SpeakJobData = { session_id, message_id, trace_id: turn.traceId, is_sent: isSent };
        return jobs().effect(SPEAK_JOB, order, { key: message_id, traceId: turn.traceId, priority: 10 });
      });
      // The voice message says all of the answer, so none of its text may be stopped.
      const replies = isSent ? turn.replies.map((reply) => ({ ...reply, isWhole: true })) : turn.replies;
      return withEffects({ ...turn, replies }, ...effects);
    },
  };
}

function isSentToChannel({ session, inbound }: Turn): boolean {
  return session.channel_id !== "web" && inbound.isOperatorOnly !== true;
}

function shouldSpeak({ session, attachments }: Turn, settings: Pick<Settings, "get">): boolean {
  if (!settings.get(SPEAK_ENABLED)) return false;
  if (session.tts_config.enabled || settings.get(SPOKEN_CHANNELS).includes(session.channel_id)) return true;
  const isVoiceMessage = attachments.some(({ type, meta }) => type === "audio" && typeof meta?.transcript === "string");
  return isVoiceMessage && settings.get(ANSWER_IN_KIND);
}

/** Returns voice and speed of a conversation; empty for the defaults of the model. */
export function toVoiceOptions({ tts_config: { enabled, voice, speed } }: Session): VoiceOptions {
  return enabled ? { ...(voice !== "" && { voice }), speed } : {};
}

export interface SpeakJobDeps {
  readonly speech: () => Speech;
  readonly sessions: () => Sessions;
  readonly gateway: () => Gateway;
  /** Returns the media types that people on a channel can play; undefined when they can play any. */
  readonly getPlayableTypes: (channelId: string) => readonly string[] | undefined;
}

export function createSpeakJob({ speech, sessions, gateway, getPlayableTypes }: SpeakJobDeps): JobKind {
  return jobKind<SpeakJobData>({
    kind: SPEAK_JOB,
    titles: { en: "Speak an answer", zh: "朗读回答" },
    schema: Joi.object<SpeakJobData>({
      session_id: Joi.string().required(),
      message_id: Joi.string().required(),
      trace_id: Joi.string().required(),
      is_sent: Joi.boolean().required(),
    }),
    retry: RETRY,
    timeoutMs: TIMEOUT_MS,
    async run(order, { signal, once, log }) {
      const session = await sessions().find(order.session_id);
      const [message] = await sessions().messagesById([order.message_id]);
      // The message was deleted, or answered again.
      if (!session || !message) return;
      const place = order.is_sent ? toPlatformConversation(session) : undefined;
      const isPlayed = (type: string) => (place && getPlayableTypes(place.channelId)?.includes(type)) ?? true;
      if (!MIME_TYPES.some(isPlayed)) return addUnplayedNotice(session, log);
      const spoken = await createSpeech(message, session, order, signal).catch((error: unknown) => {
        const isHopeless = isWithoutModel(error) || (AppError.is(error) && error.code === "bad_request");
        if (!isHopeless) throw error;
        log(toItemFailure(error));
        return undefined;
      });
      if (!spoken) return;
      await sessions().giveVoice(session.id, message.id, spoken.audio_url);
      if (!isPlayed(toMimeType(spoken))) return addUnplayedNotice(session, log);
      if (place)
        await once("deliver", () =>
          gateway().deliver({ ...place, text: "", attachments: [toVoiceAttachment(spoken)], order: BY_SERVICE }),
        );
    },
  });

  /** Adds the notice that audio was not played, once per conversation, since the cause is the same for every reply. */
  async function addUnplayedNotice({ id }: Session, log: JobContext["log"]): Promise<void> {
    log(voiceTexts.message("not_played"));
    await sessions().record(id, NOT_PLAYABLE_NOTICE);
  }

  function createSpeech(
    { content }: Message,
    session: Session,
    order: SpeakJobData,
    signal: AbortSignal,
  ): Promise<SpokenAudio> {
    // Platforms show this format as a voice message.
    const format = order.is_sent ? "opus" : "mp3";
    const options = { session: session.id, traceId: order.trace_id, signal };
    return speech().speakWhole({ ...toVoiceOptions(session), text: content, format }, options);
  }
}

function toVoiceAttachment(spoken: SpokenAudio): Attachment {
  const { filename, size, format } = spoken;
  return {
    type: "audio",
    url: `/static/files/${filename}`,
    name: `voice.${format === "opus" ? "ogg" : format}`,
    mime_type: toMimeType(spoken),
    size,
  };
}

const MIME_TYPE_BY_FORMAT: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  wav: "audio/wav",
  aac: "audio/aac",
  flac: "audio/flac",
};
const MIME_TYPES = Object.values(MIME_TYPE_BY_FORMAT);
const toMimeType = ({ format }: Pick<SpokenAudio, "format">): string => MIME_TYPE_BY_FORMAT[format] ?? "audio/mpeg";

const NOT_PLAYABLE_NOTICE: HistoryEntry = {
  role: "system",
  notice: "voice.not_played",
  content: voiceTexts.message("not_played").error,
  attachments: [],
  sender: "",
  senderId: null,
  source: "voice",
  platformMessageId: "voice.not_played",
};
