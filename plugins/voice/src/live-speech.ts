import { deadline, type LiveEvent, type LiveEvents, type Logger, type Sessions, type Settings } from "@parley/core";
import { SPEAK } from "./settings.ts";
import { mannerOf } from "./speak-job.ts";
import { piecesOf, speakable } from "./speakable.ts";
import { MOST_SPOKEN, type SayHow, type Speech } from "./speech.ts";

/** Answers that are written at the same time. */
const MOST_AT_ONCE = 200;
const WAIT_MS = 60_000;

export interface LiveSpeechParts {
  readonly speech: Pick<Speech, "sayPiece">;
  readonly sessions: Pick<Sessions, "find">;
  readonly settings: Pick<Settings, "get">;
  readonly events: LiveEvents;
  readonly log: Logger;
}

/** One answer that is said while it is written. */
interface Saying {
  readonly sessionId: string;
  readonly manner: Promise<SayHow | undefined>;
  text: string;
  isWhole: boolean;
  said: number;
  /** Pieces one after another; what comes meanwhile is seen by the one that runs. */
  running: Promise<void> | undefined;
}

/**
 * Says answers of conversations that ask for it sentence by sentence, while they are written: the first sound is there before
 * the answer is whole. Tells of each piece by the event `speech`. Gives what ends it.
 */
export function startLiveSpeech({ speech, sessions, settings, events, log }: LiveSpeechParts): () => Promise<void> {
  const saying = new Map<string, Saying>();
  const ended = new AbortController();

  const mannerIn = async (sessionId: string): Promise<SayHow | undefined> => {
    const session = await sessions.find(sessionId);
    return session?.channel_id === "web" && session.tts_config.enabled ? mannerOf(session) : undefined;
  };
  const advance = async (messageId: string, one: Saying) => {
    const manner = await one.manner;
    if (manner === undefined) return void saying.delete(messageId);
    for (;;) {
      const piece = nextPiece(one);
      if (piece === undefined) return;
      const index = one.said;
      one.said += 1;
      using limit = deadline(WAIT_MS, ended.signal);
      const { audio_url } = await speech.sayPiece(
        piece,
        { ...manner, format: "mp3" },
        { session: one.sessionId, signal: limit.signal },
      );
      const payload = { message_id: messageId, index, audio_url };
      events.publish({ type: "speech", session_id: one.sessionId, durable: false, payload });
    }
  };
  const goOn = (messageId: string, one: Saying) => {
    one.running ??= advance(messageId, one)
      .catch((error: unknown) => {
        saying.delete(messageId);
        if (!ended.signal.aborted) log.warn("an answer could not be said while it was written", { error });
      })
      .finally(() => {
        one.running = undefined;
        if (saying.get(messageId) !== one) return;
        if (nextPiece(one) !== undefined) goOn(messageId, one);
        else if (one.isWhole) saying.delete(messageId);
      });
  };
  const begin = ({ session_id, payload }: LiveEvent) => {
    const { id } = payload.message as { readonly id: string };
    if (session_id === undefined || saying.size >= MOST_AT_ONCE) return;
    const manner = mannerIn(session_id).catch(() => undefined);
    saying.set(id, { sessionId: session_id, manner, text: "", isWhole: false, said: 0, running: undefined });
  };
  // Every piece of every answer comes by: what an event holds is put together only for one that is being said.
  const listener = (event: LiveEvent) => {
    const { type } = event;
    if (type === "ai_stream_start" && settings.get(SPEAK)) return begin(event);
    if (saying.size === 0 || (type !== "ai_stream_chunk" && type !== "ai_stream_end")) return;
    const { payload } = event;
    const messageId = String(payload.message_id);
    const one = saying.get(messageId);
    if (!one) return;
    if (type === "ai_stream_chunk") one.text += String(payload.chunk);
    else if (payload.finish_reason === "stop" || payload.finish_reason === "length") one.isWhole = true;
    else return void saying.delete(messageId);
    goOn(messageId, one);
  };

  const stop = events.subscribe(listener);
  return async () => {
    stop();
    ended.abort();
    await Promise.all([...saying.values()].map(({ running }) => running));
  };
}

function nextPiece({ text, isWhole, said }: Saying): string | undefined {
  return piecesOf(speakable(text).slice(0, MOST_SPOKEN), isWhole)[said];
}
