import Joi from "@hapi/joi";
import {
  assertMaySpeak,
  BY_SERVICE,
  type Caller,
  derivedId,
  type Effect,
  type JobKind,
  type Jobs,
  jobKind,
  type Session,
  type Sessions,
  toSpeakOrder,
} from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";

export const PROACTIVE_JOB = "proactive";
/** Source of the instruction and of the resulting message. */
export const PROACTIVE_SOURCE = "proactive";
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
export function getProactiveTime({ proactive_chat }: Session, since: number): number | undefined {
  return proactive_chat.enabled ? since + proactive_chat.idle_minutes * MINUTE_MS : undefined;
}

/** Returns the job in which the AI writes at `runAt` unless someone writes before; one per conversation and time. */
export function toProactiveJob(sessionId: string, runAt: number): Parameters<Jobs["add"]> {
  const payload: ProactivePayload = { session_id: sessionId, due_at: new Date(runAt).toISOString() };
  return [PROACTIVE_JOB, payload, { key: `${sessionId}:${runAt}`, runAt }];
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
export function createProactiveJob(
  { sessions, messages, jobs }: Pick<SessionDeps, "sessions" | "messages" | "jobs">,
  chat: () => Pick<Sessions, "chat">,
): JobKind {
  return jobKind<ProactivePayload>({
    kind: PROACTIVE_JOB,
    titles: { en: "Speak first in an idle conversation", zh: "在空闲的会话中主动开口" },
    schema: Joi.object<ProactivePayload, true>({
      session_id: Joi.string().required(),
      due_at: Joi.string().required(),
    }),
    concurrency: 4,
    retry: { attempts: 3, firstDelayMs: 10_000, maxDelayMs: MINUTE_MS },
    async run({ session_id: id, due_at }): Promise<readonly Effect[] | undefined> {
      const session = await sessions.find(id);
      if (!session || session.archived || session.taken_over) return undefined;
      const last = await messages.last(id, "live");
      if (last?.source === PROACTIVE_SOURCE) return undefined;
      const dueAt = getProactiveTime(session, last ? Date.parse(last.timestamp) : 0);
      if (dueAt === undefined) return undefined;
      // Someone wrote in the meantime, or the idle time was made longer.
      if (dueAt > Date.parse(due_at) + ANSWER_TIME_MS) return [jobs().effect(...toProactiveJob(id, dueAt))];
      await chat().chat(id, {
        content: session.proactive_chat.prompt.trim() || DEFAULT_PROMPT,
        attachments: [],
        sender: { id: PROACTIVE_SOURCE, name: "Proactive message", isAdmin: false, isProgram: true },
        tempId: derivedId("proactive", id, last?.id ?? ""),
        source: PROACTIVE_SOURCE,
        deliver: true,
        // The right to send was checked when the feature was switched on.
        order: BY_SERVICE,
        isHidden: true,
      });
      return undefined;
    },
  });
}
