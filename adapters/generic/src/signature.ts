import { createHmac } from "node:crypto";
import { isEqualSecret } from "@parley/core/secrets";

const MAX_CLOCK_SKEW_S = 300;

export interface SignatureHeaders {
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

/** Returns the hex HMAC-SHA256 over timestamp, nonce and the sent body. */
export function signBody(
  secret: string,
  { timestamp, nonce }: Pick<SignatureHeaders, "timestamp" | "nonce">,
  body: Uint8Array,
): string {
  return createHmac("sha256", secret).update(`${timestamp}\n${nonce}\n`).update(body).digest("hex");
}

export type SignatureProblem = "invalid_signature" | "timestamp_expired";

/** Returns the problem with a signature; undefined when it is valid and recent. */
export function findSignatureProblem(
  secret: string,
  { timestamp, nonce, signature }: SignatureHeaders,
  body: Uint8Array,
  nowMs: number,
): SignatureProblem | undefined {
  if (!/^\d{1,12}$/.test(timestamp) || !/^[A-Za-z0-9_-]{1,64}$/.test(nonce) || !/^[0-9a-f]{64}$/.test(signature)) {
    return "invalid_signature";
  }
  if (!isEqualSecret(signature, signBody(secret, { timestamp, nonce }, body))) return "invalid_signature";
  return Math.abs(nowMs / 1_000 - Number(timestamp)) > MAX_CLOCK_SKEW_S ? "timestamp_expired" : undefined;
}
