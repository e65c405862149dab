import { ECDH } from "node:crypto";
import Joi, { type CustomHelpers } from "@hapi/joi";
import { reportProblem, withPattern } from "@parley/core";
import { answerFields, listData, shape } from "@parley/core/http";
import type { SubscriptionKeys } from "./encrypt.ts";
import { pushTexts } from "./texts.ts";

const PUBLIC_KEY_BYTES = 65;
const SECRET_BYTES = 16;

/** Keys of a browser's subscription, in base64url (RFC 8291). */
export interface EncodedKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** The request of a browser to subscribe. */
export interface SubscribeBody {
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: EncodedKeys;
  };
  readonly session_id: string | null;
}
export interface UnsubscribeBody {
  readonly endpoint?: string;
  readonly id?: string;
}
export interface TestBody {
  readonly session_id: string | null;
  readonly title: string;
  readonly body: string;
}

const createKeySchema = (length: number, check: (bytes: Buffer) => void) =>
  withPattern(Joi.string().max(200), /^[\w+/-]+={0,2}$/, { en: "must be base64url", zh: "须为 base64url 编码" })
    .custom((text: string, helpers: CustomHelpers) => {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length !== length)
        return reportProblem(pushTexts.error("bad_request", "key_length", { length }), helpers);
      try {
        check(bytes);
      } catch {
        return reportProblem(pushTexts.error("bad_request", "key_point"), helpers);
      }
      return bytes.toString("base64url");
    })
    .required();

// No message can be encrypted for a point that is not on the curve.
const checkOnCurve = (point: Buffer) => void ECDH.convertKey(point, "prime256v1");

const when = Joi.number().min(0).allow(null);
const endpoint = Joi.string()
  .uri({ scheme: ["https", "http"] })
  .max(2_000);

export const subscribeBody = Joi.object<SubscribeBody>({
  subscription: Joi.object({
    endpoint: endpoint.required(),
    keys: Joi.object({
      p256dh: createKeySchema(PUBLIC_KEY_BYTES, checkOnCurve),
      auth: createKeySchema(SECRET_BYTES, () => {}),
    }).required(),
    // Browsers and this API write it differently; push services report the expiry themselves (410).
    expiration_time: when,
    expirationTime: when,
  }).required(),
  session_id: Joi.string().max(200).allow(null).default(null),
});

export const unsubscribeBody = Joi.object<UnsubscribeBody>({
  endpoint: Joi.string().max(2_000),
  id: Joi.string().max(64),
}).or("endpoint", "id");

export const testBody = Joi.object<TestBody>({
  session_id: Joi.string().max(200).allow(null).default(null),
  title: Joi.string().trim().max(100).allow("").default(""),
  body: Joi.string().trim().max(500).allow("").default(""),
});

/** A subscription as its owner sees it, without endpoint and keys. */
export interface SubscriptionView {
  readonly id: string;
  readonly session_id: string | null;
  readonly username: string;
  readonly user_agent: string;
  /** Host name of the push service. */
  readonly service: string;
  readonly created_at: string;
  readonly last_sent_at: string | null;
  readonly failures: number;
}

const { text, id, time, flag, count, orNull } = answerFields;

export const publicKeyData = shape({ public_key: text });
export const statusData = shape({
  supported: flag,
  configured: flag,
  public_key_configured: flag,
  subscriptions: count,
});
export const subscribeData = shape({ id, created: flag });
export const unsubscribeData = shape({ removed: flag });
export const testData = shape({ sent: count, failed: count, removed: count, skipped: count });
export const subscriptionsData = listData(
  shape<SubscriptionView>(
    {
      id,
      session_id: orNull(id),
      username: text,
      user_agent: text,
      service: text,
      created_at: time,
      last_sent_at: orNull(time),
      failures: count,
    },
    "PushSubscription",
  ),
);

export function decodeKeys({ p256dh, auth }: EncodedKeys): SubscriptionKeys {
  return { p256dh: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") };
}
