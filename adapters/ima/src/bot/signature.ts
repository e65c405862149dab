import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { AppError, type WebhookRequest } from "@parley/core";

const MAX_CLOCK_SKEW_S = 300;
const SEED_BYTES = 32;
/** Prefix of an Ed25519 private key in PKCS #8; the seed follows. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Derives the key pair of the platform and the bot from the app's secret. */
export function deriveKeys(secret: string): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  let seed = secret;
  while (Buffer.byteLength(seed) < SEED_BYTES) seed += secret;
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(seed).subarray(0, SEED_BYTES)]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Throws `unauthorized` unless the platform signed the request, for this app and recently. */
export function checkSignature({ headers, body }: WebhookRequest, secret: string, appId: string, nowMs: number): void {
  const timestamp = headers["x-signature-timestamp"] ?? "";
  const given = headers["x-signature-ed25519"] ?? "";
  const isFresh = /^\d{10}$/.test(timestamp) && Math.abs(nowMs / 1_000 - Number(timestamp)) <= MAX_CLOCK_SKEW_S;
  const bytes = Buffer.from(/^[0-9a-f]{128}$/i.test(given) ? given : "", "hex");
  // The top bits of a signature's last byte are never set.
  const isFormed = bytes.length === 64 && ((bytes[63] as number) & 0b1110_0000) === 0;
  const isOurs = headers["x-bot-appid"] === appId;
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  if (!isFresh || !isFormed || !isOurs || !verify(null, signed, deriveKeys(secret).publicKey, bytes))
    throwUnauthorized();
}

/**
 * Signs the platform's check of the address. The caller chooses the signed text and the key also authenticates
 * events, so only a recent, well-formed check is signed; otherwise a stranger could get an event signed.
 */
export function signAddressCheck(
  check: { readonly plain_token?: unknown; readonly event_ts?: unknown },
  secret: string,
  nowMs: number,
): { readonly plain_token: string; readonly signature: string } {
  const { plain_token: token, event_ts: timestamp } = check;
  const isCheck =
    typeof token === "string" &&
    /^[A-Za-z0-9_-]{1,128}$/.test(token) &&
    typeof timestamp === "string" &&
    /^\d{10}$/.test(timestamp) &&
    Math.abs(nowMs / 1_000 - Number(timestamp)) <= MAX_CLOCK_SKEW_S;
  if (!isCheck) return throwUnauthorized();
  const signature = sign(null, Buffer.from(`${timestamp}${token}`), deriveKeys(secret).privateKey).toString("hex");
  return { plain_token: token, signature };
}

function throwUnauthorized(): never {
  throw new AppError("unauthorized", "authentication failed");
}
