import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets of any length in constant time. */
export function isEqualSecret(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
