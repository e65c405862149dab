import {
  BY_SERVICE,
  derivedId,
  findChannelTimeZone,
  findQuietEnd,
  type ItemFailure,
  type Message,
  periodAt,
  type Session,
  type Sessions,
} from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";
import { DEFAULT_DAILY_LIMIT } from "../store/rows.ts";
import { sessionsTexts } from "../texts.ts";

/** Source of the instruction and of the resulting message. */
export const PROACTIVE_SOURCE = "proactive";

export type SpeakingDeps = Pick<SessionDeps, "sessions" | "messages" | "channels" | "settings" | "clock">;
export type StartChat = Pick<Sessions, "chat">["chat"];

/** A moment at which the AI may write first. */
export interface Opening {
  readonly session: Session;
  /** Newest message of the conversation. */
  readonly last: Message | undefined;
  /** Local day and number of the message on it, which tell messages from repeats of one. */
  readonly slot: string;
}

/** Outcome of the check whether the AI may write first now: it may, later, or not any more. */
export type OpeningCheck =
  | { readonly opening: Opening }
  | { readonly reason: ItemFailure; readonly laterMs?: number }
  | undefined;

/** Checks whether the AI may write first in a conversation now; undefined when the conversation is gone. */
export async function checkOpening(deps: SpeakingDeps, sessionId: string): Promise<OpeningCheck> {
  const { sessions, messages, channels, clock } = deps;
  const session = await sessions.find(sessionId);
  if (!session) return undefined;
  if (session.archived) return { reason: sessionsTexts.message("silent_archived") };
  if (session.taken_over) return { reason: sessionsTexts.message("silent_taken_over", { by: session.taken_over.by }) };
  if (!session.proactive_chat.enabled) return { reason: sessionsTexts.message("silent_off") };
  if (channels()?.get(session.channel_id)?.enabled === false)
    return { reason: sessionsTexts.message("channel_gone", { id: session.channel_id }) };
  if (channels()?.canBegin(session.channel_id) === false)
    return { reason: sessionsTexts.message("silent_answers_only") };
  const last = await messages.last(sessionId, "live");
  const nowMs = clock.now();
  const { slot, delay } = await findDelay(deps, session, nowMs);
  return delay ?? { opening: { session, last, slot } };
}

/** Asks the character to write first. A repeat of an accepted call for the same occasion does nothing. */
export async function speakFirst(
  chat: StartChat,
  { session, last, slot }: Opening,
  { occasion, content }: { readonly occasion: string; readonly content: string },
): Promise<void> {
  await chat(session.id, {
    content,
    attachments: [],
    sender: { id: PROACTIVE_SOURCE, name: "Proactive message", isAdmin: false, isProgram: true },
    tempId: derivedId("proactive", session.id, last?.id ?? "", slot, occasion),
    source: PROACTIVE_SOURCE,
    deliver: true,
    // The right to send was checked when the feature was switched on.
    order: BY_SERVICE,
    isHidden: true,
  });
}

/** True while the AI's last message that nobody asked for has no answer. */
export function isUnanswered({ last }: Pick<Opening, "last">): boolean {
  return last?.source === PROACTIVE_SOURCE;
}

/** Returns the next message's slot of today, and until when quiet hours or the daily limit forbid it. */
async function findDelay({ messages, channels, settings }: SpeakingDeps, session: Session, nowMs: number) {
  const timeZone = findChannelTimeZone(channels()?.get(session.channel_id), settings);
  const { startMs, endMs } = periodAt("day", nowMs, timeZone);
  const count = await messages.countHidden(session.id, PROACTIVE_SOURCE, startMs, endMs);
  const { daily_limit = DEFAULT_DAILY_LIMIT } = session.proactive_chat;
  const isSpent = count >= daily_limit;
  const laterMs = findQuietEnd(session.quiet_hours ?? "", timeZone, isSpent ? endMs : nowMs);
  const slot = `${startMs}:${count}`;
  if (laterMs <= nowMs) return { slot };
  const reason = isSpent
    ? sessionsTexts.message("silent_limit", { count: daily_limit })
    : sessionsTexts.message("silent_quiet_hours", { hours: session.quiet_hours ?? "" });
  return { slot, delay: { reason, laterMs } };
}
