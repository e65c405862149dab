import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets, or digests and signatures of secrets, of any length in constant time. */
export function isEqualSecret(given: string | Uint8Array, wanted: string | Uint8Array): boolean {
  const digest = (secret: string | Uint8Array) => createHash("sha256").update(secret).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
