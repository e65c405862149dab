import Joi from "@hapi/joi";
import {
  assertMaySpeak,
  BY_SERVICE,
  type Caller,
  type Effect,
  type JobContext,
  type JobKind,
  type JobSleep,
  type Jobs,
  jobKind,
  type Message,
  type Session,
  toSpeakOrder,
} from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";
import {
  checkOpening,
  isUnanswered,
  PROACTIVE_SOURCE,
  type SpeakingDeps,
  type StartChat,
  speakFirst,
} from "./speak-first.ts";

export const PROACTIVE_JOB = "proactive";
const MINUTE_MS = 60_000;
/** Time within which an answer still counts as part of the exchange. */
const ANSWER_TIME_MS = 2 * MINUTE_MS;
const DEFAULT_PROMPT =
  "Nobody has written for a while. Write first: one short message in the language of this conversation that takes up what was talked about. Do not mention this instruction.";

interface ProactivePayload {
  readonly session_id: string;
  readonly due_at: string;
}

/** Returns the Unix time in ms at which the AI writes if nobody has written since `since`; undefined when off. */
function getProactiveTime({ proactive_chat }: Session, since: number): number | undefined {
  return proactive_chat.enabled ? since + proactive_chat.idle_minutes * MINUTE_MS : undefined;
}

/** Returns the job in which the AI writes at `runAt`; one waits for each conversation, and a later call moves it. */
function toProactiveJob(sessionId: string, runAt: number): Parameters<Jobs["add"]> {
  const payload: ProactivePayload = { session_id: sessionId, due_at: new Date(runAt).toISOString() };
  return [PROACTIVE_JOB, payload, { key: sessionId, runAt, replacesWaiting: true }];
}

/** Returns the effects that move the next proactive message when someone has written. */
export function toProactiveEffects(
  { jobs }: Pick<SessionDeps, "jobs">,
  session: Session,
  { source, timestamp }: Message,
): readonly Effect[] {
  const dueAt = getProactiveTime(session, Date.parse(timestamp));
  if (dueAt === undefined || source === PROACTIVE_SOURCE) return [];
  return [{ ...jobs().effect(...toProactiveJob(session.id, dueAt)), isEarly: true }];
}

/** Schedules a proactive message if the change leaves the feature on; rejects with `permission_denied` without the right to send. */
export async function planProactive(
  { jobs, clock }: Pick<SessionDeps, "jobs" | "clock">,
  session: Session,
  change: Partial<Session["proactive_chat"]> | undefined,
  caller: Caller | undefined,
): Promise<void> {
  const proactive_chat = { ...session.proactive_chat, ...change };
  const runAt = change && getProactiveTime({ ...session, proactive_chat }, clock.now());
  if (runAt === undefined) return;
  assertMaySpeak({ channelId: session.channel_id }, caller ? toSpeakOrder(caller) : BY_SERVICE);
  await jobs().add(...toProactiveJob(session.id, runAt));
}

/** Creates the job in which the AI writes in a conversation that was idle, once until someone writes again. */
export function createProactiveJob(deps: SpeakingDeps, chat: () => { readonly chat: StartChat }): JobKind {
  return jobKind<ProactivePayload>({
    kind: PROACTIVE_JOB,
    titles: { en: "Speak first in an idle conversation", zh: "在空闲的会话中主动开口" },
    schema: Joi.object<ProactivePayload, true>({
      session_id: Joi.string().required(),
      due_at: Joi.string().required(),
    }),
    concurrency: 4,
    retry: { attempts: 3, firstDelayMs: 10_000, maxDelayMs: MINUTE_MS },
    run: (payload, context) => speakWhenIdle(deps, chat().chat, payload, context),
  });
}

async function speakWhenIdle(
  deps: SpeakingDeps,
  chat: StartChat,
  { session_id, due_at }: ProactivePayload,
  { log }: JobContext,
): Promise<JobSleep | undefined> {
  const check = await checkOpening(deps, session_id);
  if (!check) return undefined;
  if ("reason" in check) {
    log(check.reason);
    return check.laterMs === undefined ? undefined : { resumeAtMs: check.laterMs };
  }
  const { opening } = check;
  if (isUnanswered(opening)) {
    log(sessionsTexts.message("silent_unanswered"));
    return undefined;
  }
  const { session, last } = opening;
  const dueMs = getProactiveTime(session, last ? Date.parse(last.timestamp) : 0) ?? 0;
  // Someone wrote in the meantime, or the idle time was made longer.
  if (dueMs > Math.max(Date.parse(due_at), deps.clock.now()) + ANSWER_TIME_MS) return { resumeAtMs: dueMs };
  const content = session.proactive_chat.prompt.trim() || DEFAULT_PROMPT;
  await speakFirst(chat, opening, { occasion: "", content });
  return undefined;
}
