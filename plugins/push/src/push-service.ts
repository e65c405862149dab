import { AppError, type Clock, type Egress, type Environment, type Localized, toLocalized } from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import { encrypt } from "./encrypt.ts";
import type { Subscription } from "./subscriptions.ts";
import { pushTexts } from "./texts.ts";
import { createVapidHeader, type VapidPair } from "./vapid.ts";

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
const SUBJECT = "mailto:admin@localhost";
const MAX_TITLE = 100;
const MAX_BODY = 120;

/** Content of a notification and the URL it opens. */
export interface NotificationPayload {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** A newer notification with the same tag replaces the previous one. */
  readonly tag: string;
}

export interface PushMessage {
  readonly payload: NotificationPayload;
  readonly ttlSeconds: number;
  /** True when a person is expected to act: delivered even if the device saves power. */
  readonly isUrgent: boolean;
  /** The push service stores only the newest message of a topic: at most 32 characters of base64url. */
  readonly topic?: string;
}

export type SendResult =
  | { readonly kind: "sent" | "gone" }
  /** The push service asks to retry after this time. */
  | { readonly kind: "later"; readonly afterMs: number }
  | { readonly kind: "failed"; readonly why: Localized };

/** Sends a message to the push service of a subscription, without retries. Rejects only when `signal` aborts. */
export type SendPush = (to: Subscription, message: PushMessage, signal: AbortSignal) => Promise<SendResult>;

export interface PushServiceDeps {
  readonly egress: Pick<Egress, "fetch">;
  readonly pair: () => VapidPair;
  readonly environment: Pick<Environment, "get">;
  readonly clock: Clock;
  readonly mayReachPrivate: () => boolean;
}

export function createPushService(deps: PushServiceDeps): SendPush {
  const { egress, pair: getKeyPair, environment, clock, mayReachPrivate } = deps;
  return async (to, { payload, ttlSeconds, isUrgent, topic }, signal) => {
    try {
      const url = new URL(to.endpoint);
      const isPrivateAllowed = mayReachPrivate();
      if (url.protocol !== "https:" && !isPrivateAllowed)
        return { kind: "failed", why: pushTexts.localized("not_https") };
      const policy = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES, redirects: 0 } as const;
      const send = egress.fetch({ ...policy, reach: isPrivateAllowed ? "private" : "public" });
      const response = await send(url, {
        method: "POST",
        headers: {
          authorization: createVapidHeader(getKeyPair(), url, environment.get("VAPID_SUBJECT") || SUBJECT, clock.now()),
          "content-encoding": "aes128gcm",
          "content-type": "application/octet-stream",
          ttl: String(ttlSeconds),
          urgency: isUrgent ? "high" : "normal",
          ...(topic !== undefined && { topic }),
        },
        body: new Uint8Array(encrypt(Buffer.from(JSON.stringify(truncatePayload(payload))), to.keys())),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return toSendResult(response, clock.now());
    } catch (error) {
      signal.throwIfAborted();
      return { kind: "failed", why: AppError.is(error) ? toLocalized(error) : pushTexts.localized("service_late") };
    }
  };
}

function toSendResult({ status, headers }: Response, nowMs: number): SendResult {
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 429) return { kind: "later", afterMs: parseRetryAfter(headers.get("retry-after") ?? "", nowMs) };
  return {
    kind: "failed",
    why: pushTexts.localized("service_answered", { status }),
  };
}

/** Parses `Retry-After` in seconds or as a date to milliseconds; a minute for an invalid value. */
function parseRetryAfter(retryAfter: string, nowMs: number): number {
  const ms = /^\d{1,9}$/.test(retryAfter.trim()) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : 60_000;
}

function truncatePayload({ title, body, url, tag }: NotificationPayload): NotificationPayload {
  return { title: toShortLine(title, MAX_TITLE), body: toShortLine(body, MAX_BODY), url, tag };
}

/** Puts a text on one line of at most `most` UTF-16 units. */
function toShortLine(text: string, most: number): string {
  return truncateWithEllipsis(text.replaceAll(/\s+/g, " ").trim(), most);
}
