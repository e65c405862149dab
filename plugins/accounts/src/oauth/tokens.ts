import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { hashSecret } from "../credentials/hash-secret.ts";

type Kind = "oat" | "ort";

export interface ParsedToken {
  readonly grantId: string;
  readonly hash: string;
}

/** A new token of a grant, for reading (`oat`) or for renewal (`ort`): what is kept of it is its hash. */
export function createToken(kind: Kind, grantId: string): { readonly text: string; readonly hash: string } {
  // The grant comes last: a token that is not in force any more still tells whose it was.
  const text = `${kind}_${randomBytes(32).toString("base64url")}${grantId}`;
  return { text, hash: hashSecret(text) };
}

/** Undefined for what is no such token. */
export function parseToken(kind: Kind, text: string): ParsedToken | undefined {
  const grantId = new RegExp(`^${kind}_[\\w-]{43}(grant_\\w{1,40})$`).exec(text)?.[1];
  return grantId === undefined ? undefined : { grantId, hash: hashSecret(text) };
}

/** In the same time wherever they differ. */
export function isEqualText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a client that shows `verifier` is the one that began with `challenge` (RFC 7636, S256). */
export function isVerifierValid(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return isEqualText(createHash("sha256").update(verifier).digest("base64url"), challenge);
}
