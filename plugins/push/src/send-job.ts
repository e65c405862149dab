import { createHash } from "node:crypto";
import Joi from "@hapi/joi";
import {
  type Clock,
  type Effect,
  type JobContext,
  type JobKind,
  type Jobs,
  jobKind,
  type Presence,
  type Session,
  type Sessions,
  type Write,
} from "@parley/core";
import { toPlainText } from "@parley/core/markdown";
import { type About, EVERY_MS, type Notice, type Notices } from "./notices.ts";
import type { Letter, SendLetter, Sent } from "./push-service.ts";
import { pushLine } from "./said-lines.ts";
import type { Subscription, Subscriptions } from "./subscriptions.ts";
import { TEXTS } from "./texts.ts";

export const SEND = "push.send";
const LIVES_MS = 3_600_000;
const AT_ONCE = 20;
/** More than any notification shows. */
const LOOKED_AT = 2_000;

export interface SendOrder {
  readonly session_id: string;
  readonly notice_id: string;
  /** Only this one, which was too busy the first time. */
  readonly subscription_id?: string;
}

export interface SendJobParts {
  readonly notices: Notices;
  readonly subscriptions: Subscriptions;
  readonly send: SendLetter;
  readonly sessions: () => Pick<Sessions, "find" | "messagesById">;
  readonly presence: () => Presence | undefined;
  readonly jobs: () => Jobs;
  readonly isContentHidden: () => boolean;
  readonly clock: Clock;
}

/** What is told, but for its language. */
interface Told {
  readonly title: string;
  readonly body: (language: "en" | "zh") => string;
}

/** Tells the browsers of what is newest in a session, unless somebody looks at it. */
export function sendJob(parts: SendJobParts): JobKind {
  const { notices, subscriptions, presence, jobs, clock } = parts;
  return jobKind<SendOrder>({
    kind: SEND,
    titles: { en: "A notification", zh: "推送通知" },
    schema: Joi.object<SendOrder>({
      session_id: Joi.string().required(),
      notice_id: Joi.string().required(),
      subscription_id: Joi.string(),
    }),
    concurrency: 8,
    timeoutMs: 300_000,
    async run(order, context) {
      const { session_id, notice_id, subscription_id } = order;
      const notice = await notices.newest(session_id);
      // A newer one is told instead, by a job of its own.
      if (notice?.id !== notice_id) return [];
      const leftMs = endOf(notice) - clock.now();
      if (leftMs <= 0 || presence()?.isVisible(session_id)) return [];
      const told = await toldOf(parts, session_id, notice.about);
      if (!told) return [];
      const letter = letterFor(session_id, notice, told, leftMs, parts.isContentHidden());
      if (subscription_id !== undefined) {
        const again = await subscriptions.find(subscription_id);
        return again ? sendToAll(parts, [again], letter, { order, leftMs: 0, context }) : [];
      }
      const hearing = await subscriptions.hearing(session_id);
      if (hearing.length === 0) return [];
      if (await notices.take(session_id, notice_id, context.jobId)) {
        return sendToAll(parts, hearing, letter, { order, leftMs, context });
      }
      const now = await notices.newest(session_id);
      if (now?.id !== notice_id || now.sentMs === undefined) return [];
      return [jobs().effect(SEND, order, { key: `${notice_id}:${now.sentMs}`, runAt: now.sentMs + EVERY_MS })];
    },
  });
}

interface Run {
  readonly order: SendOrder;
  /** How long the news is worth coming back for. */
  readonly leftMs: number;
  readonly context: JobContext;
}

/** What became of each is stored with the end of the job. A run that is repeated tells again: the tag makes it one notification. */
async function sendToAll(
  { send, subscriptions, jobs, clock }: SendJobParts,
  hearing: readonly Subscription[],
  letterFor: (to: Subscription) => Letter,
  { order, leftMs, context: { signal, log } }: Run,
): Promise<readonly Effect[]> {
  const writes: Write[] = [subscriptions.ofLoginsOver()];
  const later: Effect[] = [];
  const note = (to: Subscription, sent: Sent) => {
    if (sent.kind === "later" && sent.afterMs < leftMs) {
      const again = { ...order, subscription_id: to.id };
      const when = { key: `${order.notice_id}:${to.id}`, runAt: clock.now() + sent.afterMs };
      later.push(jobs().effect(SEND, again, when));
    } else writes.push(...outcomeWrites(subscriptions, to.id, sent));
    const at = { id: to.id, host: new URL(to.endpoint).host };
    log(sent.kind === "failed" ? pushLine("failed", { ...at, why: sent.why }) : pushLine(sent.kind, at));
  };
  for (let at = 0; at < hearing.length; at += AT_ONCE) {
    const some = hearing.slice(at, at + AT_ONCE);
    const sent = await Promise.all(some.map((to) => send(to, letterFor(to), signal)));
    for (const [index, to] of some.entries()) note(to, sent[index] as Sent);
  }
  return [{ writes }, ...later];
}

/** What is kept of a try; one that is to come again says nothing of the subscription yet, unless it was the second. */
export function outcomeWrites(subscriptions: Subscriptions, id: string, { kind }: Sent): readonly Write[] {
  if (kind === "sent") return [subscriptions.sent(id)];
  if (kind === "gone") return [subscriptions.gone(id)];
  return subscriptions.failed(id);
}

function letterFor(sessionId: string, notice: Notice, { title, body }: Told, leftMs: number, isHidden: boolean) {
  const shared = {
    ttlSeconds: Math.ceil(Math.min(leftMs, LIVES_MS) / 1_000),
    isUrgent: notice.about.kind === "approval",
    topic: createHash("sha256").update(sessionId).digest("base64url").slice(0, 32),
  };
  return ({ language }: Subscription): Letter => ({
    ...shared,
    payload: { title, body: isHidden ? "" : body(language), url: addressOf(sessionId), tag: sessionId },
  });
}

/** Where a press on the notification leads. */
export function addressOf(sessionId: string): string {
  return `/dashboard#/sessions/${encodeURIComponent(sessionId)}`;
}

async function toldOf({ sessions }: SendJobParts, sessionId: string, about: About): Promise<Told | undefined> {
  const session = await sessions().find(sessionId);
  if (!session) return undefined;
  if (about.kind === "approval")
    return { title: titleOf(session), body: (language) => TEXTS[language].approval(about.tool) };
  if (about.kind === "failed")
    return { title: titleOf(session), body: (language) => TEXTS[language].failed(about.error) };
  const [message] = await sessions().messagesById([about.message_id]);
  if (!message || message.hidden) return undefined;
  const { content, sender } = message;
  const text = toPlainText(content.slice(0, LOOKED_AT)).trim();
  return { title: titleOf(session, sender), body: (language) => text || TEXTS[language].files };
}

function titleOf({ name, sender_name }: Session, sender = sender_name): string {
  return sender === "" ? name : `${sender} · ${name}`;
}

function endOf({ about, atMs }: Notice): number {
  return about.kind === "approval" ? about.until_ms : atMs + LIVES_MS;
}
