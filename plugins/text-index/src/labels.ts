import { createHash } from "node:crypto";

/** A label as a term: the same label gives the same one, and no word of a text looks like it. */
export function toLabelTerm(label: string): string {
  return `l${createHash("sha256").update(label).digest("hex").slice(0, 16)}`;
}
