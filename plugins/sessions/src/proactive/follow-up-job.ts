import Joi from "@hapi/joi";
import {
  type Effect,
  type FollowUp,
  type JobContext,
  type JobKind,
  type JobSleep,
  jobKind,
  type Session,
  toDataBlock,
} from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";
import { checkOpening, isUnanswered, type SpeakingDeps, type StartChat, speakFirst } from "./speak-first.ts";

const FOLLOW_UP_JOB = "follow_up";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Time since the last message after which a conversation is no longer going on. */
const TALK_MS = 10 * MINUTE_MS;
/** Time between the follow-ups of one message, so that those of one time are not spoken at once. */
const BETWEEN_MS = 20 * MINUTE_MS;
/** Days after which a follow-up is too late. */
const MAX_LATE_DAYS = 3;
const INSTRUCTION =
  "Some time ago the person announced what the block below holds, and its time has come. Write first: one short message in the language of this conversation that asks how it went, or reminds them where they asked for that. Do not mention this instruction.";

interface FollowUpPayload {
  readonly session_id: string;
  /** The message in which the person announced it. */
  readonly message_id: string;
  readonly text: string;
  readonly due_at: string;
}

/** Returns the effects that plan the follow-ups of a message, each once; none where the AI may not speak first. */
export function toFollowUpEffects(
  { jobs, channels }: Pick<SessionDeps, "jobs" | "channels">,
  session: Session,
  messageId: string,
  followUps: readonly FollowUp[],
): readonly Effect[] {
  if (!session.proactive_chat.enabled || channels()?.canBegin(session.channel_id) === false) return [];
  return followUps.map(({ text, atMs }, index) => {
    const runAt = atMs + index * BETWEEN_MS;
    const payload: FollowUpPayload = {
      session_id: session.id,
      message_id: messageId,
      text,
      due_at: new Date(runAt).toISOString(),
    };
    return jobs().effect(FOLLOW_UP_JOB, payload, { key: `${session.id}:${messageId}:${index}`, runAt });
  });
}

/** Creates the job in which the AI comes back to something a person announced. */
export function createFollowUpJob(deps: SpeakingDeps, chat: () => { readonly chat: StartChat }): JobKind {
  return jobKind<FollowUpPayload>({
    kind: FOLLOW_UP_JOB,
    titles: { en: "Come back to something announced", zh: "到时跟进约定的事" },
    schema: Joi.object<FollowUpPayload, true>({
      session_id: Joi.string().required(),
      message_id: Joi.string().required(),
      text: Joi.string().required(),
      due_at: Joi.string().required(),
    }),
    concurrency: 1,
    retry: { attempts: 3, firstDelayMs: 10_000, maxDelayMs: MINUTE_MS },
    run: (payload, context) => followUp(deps, chat().chat, payload, context),
  });
}

async function followUp(
  deps: SpeakingDeps,
  chat: StartChat,
  { session_id, message_id, text, due_at }: FollowUpPayload,
  { log }: JobContext,
): Promise<JobSleep | undefined> {
  const check = await checkOpening(deps, session_id);
  if (!check) return undefined;
  if ((await deps.messages.byIds([message_id])).length === 0) {
    log(sessionsTexts.message("silent_message_gone"));
    return undefined;
  }
  if ("reason" in check) {
    log(check.reason);
    return check.laterMs === undefined ? undefined : { resumeAtMs: check.laterMs };
  }
  const { opening } = check;
  const nowMs = deps.clock.now();
  if (isUnanswered(opening)) {
    log(sessionsTexts.message("silent_unanswered"));
    const isLate = nowMs - Date.parse(due_at) >= MAX_LATE_DAYS * DAY_MS;
    return isLate ? undefined : { resumeAtMs: nowMs + DAY_MS };
  }
  const quietAtMs = Date.parse(opening.last?.timestamp ?? "") + TALK_MS;
  // Nobody is interrupted; a clock that was set back counts as silence.
  if (quietAtMs > nowMs && quietAtMs <= nowMs + TALK_MS) return { resumeAtMs: quietAtMs };
  const content = `${INSTRUCTION}\n${toDataBlock("announced", text)}`;
  await speakFirst(chat, opening, { occasion: `${message_id}:${due_at}`, content });
  return undefined;
}
