import { createDecipheriv, createHash } from "node:crypto";
import { AppError, type WebhookRequest } from "@parley/core";
import { isObject, type JsonObject } from "@parley/core/json";
import { isEqualSecret } from "@parley/core/secrets";

const MAX_AHEAD_S = 300;
/** Maximum age of an event: redeliveries arrive hours later, maybe with the original time. */
const MAX_AGE_S = 86_400;
const IV_BYTES = 16;

/** Keys that authenticate events. If a key is named but has no value, all events are rejected. */
export interface EventKeys {
  readonly encryptKey: NamedSecret;
  readonly verificationToken: NamedSecret;
  /** Id of the own app; undefined while it is not known. */
  readonly appId: string | undefined;
}
export interface NamedSecret {
  readonly isNamed: boolean;
  readonly value: string | undefined;
}

export interface EventBody {
  readonly type?: string;
  readonly challenge?: string;
  readonly token?: string;
  readonly schema?: string;
  readonly uuid?: string;
  readonly header?: {
    readonly event_id?: string;
    readonly event_type?: string;
    readonly token?: string;
    readonly app_id?: string;
    readonly create_time?: string;
  };
  readonly event?: Readonly<Record<string, unknown>>;
}

/** Returns the event of a request. Throws `unauthorized`, or `bad_request` when it contains none. */
export function openEvent({ headers, body, isVerified }: WebhookRequest, keys: EventKeys, nowMs: number): EventBody {
  if (isVerified) return parseObject(Buffer.from(body).toString("utf8")) as EventBody;
  const { encryptKey, verificationToken, appId } = keys;
  if ((encryptKey.isNamed && !encryptKey.value) || (verificationToken.isNamed && !verificationToken.value))
    throwUnauthorized();
  const outer = parseObject(Buffer.from(body).toString("utf8"));
  if (!encryptKey.value) return verifyEvent(outer as EventBody, verificationToken.value, appId);
  const isSigned = checkSignature(headers, body, encryptKey.value, nowMs);
  const blob = outer.encrypt;
  if (typeof blob !== "string") return throwUnauthorized();
  const event = verifyEvent(decryptEvent(blob, encryptKey.value), verificationToken.value, appId);
  // Only the check of the address may be unsigned: its content is encrypted with the key anyway.
  if (!isSigned && event.type !== "url_verification") throwUnauthorized();
  return event;
}

/** True for a valid signature, false for a missing one; throws for an invalid one. */
function checkSignature(headers: WebhookRequest["headers"], body: Uint8Array, key: string, nowMs: number): boolean {
  const given = headers["x-lark-signature"];
  if (given === undefined) return false;
  const timestamp = headers["x-lark-request-timestamp"] ?? "";
  const nonce = headers["x-lark-request-nonce"] ?? "";
  const wanted = createHash("sha256").update(`${timestamp}${nonce}${key}`).update(body).digest();
  const bytes = Buffer.from(/^[0-9a-f]{64}$/i.test(given) ? given : "", "hex");
  if (!isEqualSecret(bytes, wanted)) throwUnauthorized();
  const age = nowMs / 1_000 - Number(timestamp);
  if (!(age <= MAX_AGE_S && age >= -MAX_AHEAD_S)) throwUnauthorized();
  return true;
}

function decryptEvent(blob: string, key: string): EventBody {
  const bytes = Buffer.from(blob, "base64");
  const secret = createHash("sha256").update(key).digest();
  try {
    const decipher = createDecipheriv("aes-256-cbc", secret, bytes.subarray(0, IV_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString("utf8");
    return parseObject(text) as EventBody;
  } catch {
    // The error is that of a wrong signature, so that it reveals nothing about the padding.
    return throwUnauthorized();
  }
}

/** Verifies the token of an event, for which a missing one counts as wrong, and its app id, which may be missing. */
function verifyEvent(event: EventBody, token: string | undefined, appId: string | undefined): EventBody {
  if (token !== undefined && !isEqualSecret(String(event.header?.token ?? event.token ?? ""), token))
    throwUnauthorized();
  const app = event.header?.app_id;
  if (app !== undefined && appId !== undefined && app !== appId) throwUnauthorized();
  return event;
}

function parseObject(text: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new AppError("bad_request", "the body is not JSON");
  }
  if (!isObject(parsed)) throw new AppError("bad_request", "the body is no event");
  return parsed;
}

function throwUnauthorized(): never {
  throw new AppError("unauthorized", "authentication failed");
}
