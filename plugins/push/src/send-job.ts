import { createHash } from "node:crypto";
import Joi from "@hapi/joi";
import {
  type Clock,
  type Effect,
  inLanguage,
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
import { type Notice, type NoticeContent, type NoticeStore, THROTTLE_MS } from "./notices.ts";
import type { PushMessage, SendPush, SendResult } from "./push-service.ts";
import type { Subscription, Subscriptions } from "./subscriptions.ts";
import { pushTexts } from "./texts.ts";

export const SEND_JOB = "push.send";
const NOTICE_TTL_MS = 3_600_000;
const BATCH_SIZE = 20;
/** Maximum length of the text, which is more than any notification shows. */
const MAX_TEXT_CHARS = 2_000;

export interface SendJobData {
  readonly session_id: string;
  readonly notice_id: string;
  /** Limits the job to one subscription, whose push service was overloaded the first time. */
  readonly subscription_id?: string;
}

export interface SendJobDeps {
  readonly notices: NoticeStore;
  readonly subscriptions: Subscriptions;
  readonly send: SendPush;
  readonly sessions: () => Pick<Sessions, "find" | "messagesById">;
  readonly presence: () => Presence | undefined;
  readonly jobs: () => Jobs;
  readonly isContentHidden: () => boolean;
  readonly clock: Clock;
}

/** Localized text of a notification. */
interface NoticeText {
  readonly title: string;
  readonly body: (language: string) => string;
}

/** Creates the job that sends the newest notice of a session, unless a console shows the session. */
export function createSendJob(deps: SendJobDeps): JobKind {
  const { notices, subscriptions, presence, jobs, clock } = deps;
  return jobKind<SendJobData>({
    kind: SEND_JOB,
    titles: { en: "A notification", zh: "推送通知" },
    schema: Joi.object<SendJobData>({
      session_id: Joi.string().required(),
      notice_id: Joi.string().required(),
      subscription_id: Joi.string(),
    }),
    concurrency: 8,
    timeoutMs: 300_000,
    async run(order, context) {
      const { session_id, notice_id, subscription_id } = order;
      const notice = await notices.getLatest(session_id);
      // A newer notice has its own job.
      if (notice?.id !== notice_id) return [];
      const leftMs = getExpiry(notice) - clock.now();
      if (leftMs <= 0 || presence()?.isVisible(session_id)) return [];
      const text = await toNoticeText(deps, session_id, notice.about);
      if (!text) return [];
      const createMessage = createMessageFactory(session_id, notice, text, leftMs, deps.isContentHidden());
      if (subscription_id !== undefined) {
        const subscription = await subscriptions.find(subscription_id);
        return subscription ? sendToAll(deps, [subscription], createMessage, { order, leftMs: 0, context }) : [];
      }
      const subscribers = await subscriptions.listSubscribed(session_id);
      if (subscribers.length === 0) return [];
      if (await notices.claim(session_id, notice_id, context.jobId)) {
        return sendToAll(deps, subscribers, createMessage, { order, leftMs, context });
      }
      const now = await notices.getLatest(session_id);
      if (now?.id !== notice_id || now.sentMs === undefined) return [];
      return [jobs().effect(SEND_JOB, order, { key: `${notice_id}:${now.sentMs}`, runAt: now.sentMs + THROTTLE_MS })];
    },
  });
}

interface SendRun {
  readonly order: SendJobData;
  /** Milliseconds within which a retry is worthwhile; 0 for a job that is a retry. */
  readonly leftMs: number;
  readonly context: JobContext;
}

/**
 * Sends to all subscriptions. Outcomes are stored with the end of the job; a repeated run sends again, and the tag
 * merges both into one notification.
 */
async function sendToAll(
  { send, subscriptions, jobs, clock }: SendJobDeps,
  subscribers: readonly Subscription[],
  createMessage: (to: Subscription) => PushMessage,
  { order, leftMs, context: { signal, log } }: SendRun,
): Promise<readonly Effect[]> {
  const writes: Write[] = [subscriptions.removeExpiredLoginsWrite()];
  const later: Effect[] = [];
  const note = (to: Subscription, sent: SendResult) => {
    if (sent.kind === "later" && sent.afterMs < leftMs) {
      const again = { ...order, subscription_id: to.id };
      const when = { key: `${order.notice_id}:${to.id}`, runAt: clock.now() + sent.afterMs };
      later.push(jobs().effect(SEND_JOB, again, when));
    } else writes.push(...createOutcomeWrites(subscriptions, to.id, sent));
    const at = { id: to.id, host: new URL(to.endpoint).host };
    log(
      sent.kind === "failed" ? pushTexts.message("failed", { ...at, why: sent.why }) : pushTexts.message(sent.kind, at),
    );
  };
  for (let at = 0; at < subscribers.length; at += BATCH_SIZE) {
    const some = subscribers.slice(at, at + BATCH_SIZE);
    const sent = await Promise.all(some.map((to) => send(to, createMessage(to), signal)));
    for (const [index, to] of some.entries()) note(to, sent[index] as SendResult);
  }
  return [{ writes }, ...later];
}

/** Returns the writes for an attempt's outcome: marked as sent, removed, or marked as failed. */
export function createOutcomeWrites(subscriptions: Subscriptions, id: string, { kind }: SendResult): readonly Write[] {
  if (kind === "sent") return [subscriptions.markSentWrite(id)];
  if (kind === "gone") return [subscriptions.removeWrite(id)];
  return subscriptions.markFailedWrites(id);
}

function createMessageFactory(sessionId: string, notice: Notice, text: NoticeText, leftMs: number, isHidden: boolean) {
  const { title, body } = text;
  const shared = {
    ttlSeconds: Math.ceil(Math.min(leftMs, NOTICE_TTL_MS) / 1_000),
    isUrgent: notice.about.kind === "approval",
    topic: createHash("sha256").update(sessionId).digest("base64url").slice(0, 32),
  };
  return ({ language }: Subscription): PushMessage => ({
    ...shared,
    payload: { title, body: isHidden ? "" : body(language), url: toSessionUrl(sessionId), tag: sessionId },
  });
}

export function toSessionUrl(sessionId: string): string {
  return `/dashboard#/sessions/${encodeURIComponent(sessionId)}`;
}

async function toNoticeText(
  { sessions }: SendJobDeps,
  sessionId: string,
  about: NoticeContent,
): Promise<NoticeText | undefined> {
  const session = await sessions().find(sessionId);
  if (!session) return undefined;
  if (about.kind === "approval")
    return {
      title: toTitle(session),
      body: (language) => inLanguage(pushTexts.localized("notice_approval", { tool: about.tool }), language),
    };
  if (about.kind === "failed")
    return {
      title: toTitle(session),
      body: (language) => inLanguage(pushTexts.localized("notice_failed", { error: about.error }), language),
    };
  const [message] = await sessions().messagesById([about.message_id]);
  if (!message || message.hidden) return undefined;
  const { content, sender } = message;
  const text = toPlainText(content.slice(0, MAX_TEXT_CHARS)).trim();
  return {
    title: toTitle(session, sender),
    body: (language) => text || inLanguage(pushTexts.localized("notice_files"), language),
  };
}

function toTitle({ name, sender_name }: Session, sender = sender_name): string {
  return sender === "" ? name : `${sender} · ${name}`;
}

function getExpiry({ about, atMs }: Notice): number {
  return about.kind === "approval" ? about.until_ms : atMs + NOTICE_TTL_MS;
}
