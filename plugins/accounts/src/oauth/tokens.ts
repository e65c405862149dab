import { createHash, randomBytes } from "node:crypto";
import { isEqualSecret } from "@parley/core/secrets";
import { hashSecret } from "../credentials/hash-secret.ts";

type Kind = "oat" | "ort";

export interface ParsedToken {
  readonly grantId: string;
  readonly hash: string;
}

/** Creates an access (`oat`) or refresh (`ort`) token of a grant; only its hash is stored. */
export function createToken(kind: Kind, grantId: string): { readonly text: string; readonly hash: string } {
  // The grant id comes last, so that an outdated token still identifies its grant.
  const text = `${kind}_${randomBytes(32).toString("base64url")}${grantId}`;
  return { text, hash: hashSecret(text) };
}

/** Parses a token; undefined for any other text. */
export function parseToken(kind: Kind, text: string): ParsedToken | undefined {
  const grantId = new RegExp(`^${kind}_[\\w-]{43}(grant_\\w{1,40})$`).exec(text)?.[1];
  return grantId === undefined ? undefined : { grantId, hash: hashSecret(text) };
}

/** Returns true when `verifier` belongs to `challenge` (RFC 7636, S256). */
export function isVerifierValid(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return isEqualSecret(createHash("sha256").update(verifier).digest("base64url"), challenge);
}
