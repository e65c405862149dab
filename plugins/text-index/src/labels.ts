import { createHash } from "node:crypto";

/** Converts a label to a term that equals no word of a text. */
export function toLabelTerm(label: string): string {
  return `l${createHash("sha256").update(label).digest("hex").slice(0, 16)}`;
}
