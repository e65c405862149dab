import { deadline, type LiveEvent, type LiveEvents, type Logger, type Sessions, type Settings } from "@parley/core";
import { SPEAK_ENABLED } from "./settings.ts";
import { toVoiceOptions } from "./speak-job.ts";
import { MAX_SPOKEN_CHARS, type Speech, type VoiceOptions } from "./speech.ts";
import { splitIntoPieces, toSpeechText } from "./speech-text.ts";

/** Maximum number of replies that are spoken at the same time. */
const MAX_STREAMS = 200;
const SPEAK_TIMEOUT_MS = 60_000;

export interface StreamingSpeechDeps {
  readonly speech: Pick<Speech, "speakPiece">;
  readonly sessions: Pick<Sessions, "find">;
  readonly settings: Pick<Settings, "get">;
  readonly events: LiveEvents;
  readonly log: Logger;
}

/** A reply that is spoken while it is generated. */
interface SpeechStream {
  readonly sessionId: string;
  readonly voice: Promise<VoiceOptions | undefined>;
  text: string;
  isWhole: boolean;
  spokenCount: number;
  /** Speaks pieces one after another; the running call includes later ones. */
  running: Promise<void> | undefined;
}

/**
 * Speaks replies sentence by sentence while they are written, in web conversations with that setting, so that audio
 * starts before the reply is complete. Publishes each piece as an event `speech`. Returns a function that stops it.
 */
export function startStreamingSpeech(deps: StreamingSpeechDeps): () => Promise<void> {
  const { speech, sessions, settings, events, log } = deps;
  const streams = new Map<string, SpeechStream>();
  const ended = new AbortController();

  const loadVoiceOptions = async (sessionId: string): Promise<VoiceOptions | undefined> => {
    const session = await sessions.find(sessionId);
    return session?.channel_id === "web" && session.tts_config.enabled ? toVoiceOptions(session) : undefined;
  };
  const speakPieces = async (messageId: string, one: SpeechStream) => {
    const voice = await one.voice;
    if (voice === undefined) return void streams.delete(messageId);
    for (;;) {
      const piece = getNextPiece(one);
      if (piece === undefined) return;
      const index = one.spokenCount;
      one.spokenCount += 1;
      using limit = deadline(SPEAK_TIMEOUT_MS, ended.signal);
      const { audio_url } = await speech.speakPiece(
        piece,
        { ...voice, format: "mp3" },
        { session: one.sessionId, signal: limit.signal },
      );
      const payload = { message_id: messageId, index, audio_url };
      events.publish({ type: "speech", session_id: one.sessionId, durable: false, payload });
    }
  };
  const continueStream = (messageId: string, one: SpeechStream) => {
    one.running ??= speakPieces(messageId, one)
      .catch((error: unknown) => {
        streams.delete(messageId);
        if (!ended.signal.aborted) log.warn("an answer could not be spoken while it was written", { error });
      })
      .finally(() => {
        one.running = undefined;
        if (streams.get(messageId) !== one) return;
        if (getNextPiece(one) !== undefined) continueStream(messageId, one);
        else if (one.isWhole) streams.delete(messageId);
      });
  };
  const begin = ({ session_id, payload }: LiveEvent) => {
    const { id } = payload.message as { readonly id: string };
    if (session_id === undefined || streams.size >= MAX_STREAMS) return;
    const voice = loadVoiceOptions(session_id).catch(() => undefined);
    streams.set(id, { sessionId: session_id, voice, text: "", isWhole: false, spokenCount: 0, running: undefined });
  };
  // Receives every piece of every answer, so the payload is read only for one that is spoken.
  const onEvent = (event: LiveEvent) => {
    const { type } = event;
    if (type === "ai_stream_start" && settings.get(SPEAK_ENABLED)) return begin(event);
    if (streams.size === 0 || (type !== "ai_stream_chunk" && type !== "ai_stream_end")) return;
    const { payload } = event;
    const messageId = String(payload.message_id);
    const one = streams.get(messageId);
    if (!one) return;
    if (type === "ai_stream_chunk") one.text += String(payload.chunk);
    else if (payload.finish_reason === "stop" || payload.finish_reason === "length") one.isWhole = true;
    else return void streams.delete(messageId);
    continueStream(messageId, one);
  };

  const stop = events.subscribe(onEvent);
  return async () => {
    stop();
    ended.abort();
    await Promise.all([...streams.values()].map(({ running }) => running));
  };
}

function getNextPiece({ text, isWhole, spokenCount }: SpeechStream): string | undefined {
  return splitIntoPieces(toSpeechText(text).slice(0, MAX_SPOKEN_CHARS), isWhole)[spokenCount];
}
