import { createHash } from "node:crypto";

/** How much of a secret may be shown: enough to tell one from another. */
export const PREFIX_LENGTH = 12;

/** What is kept of a secret. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
