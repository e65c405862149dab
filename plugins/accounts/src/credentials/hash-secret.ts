import { createHash } from "node:crypto";

/** Number of characters of a secret that may be shown to tell secrets apart. */
export const PREFIX_LENGTH = 12;

/** Returns the stored form of a secret: its SHA-256, in hex. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
