import { createHash } from "node:crypto";
import { toSharedError } from "./error-texts.ts";

/** The fields of every record. */
export interface Common {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: number;
}

/** Throws `conflict` when a caller's `If-Match` is not the record's revision. */
export function checkRevision({ revision }: { readonly revision: number }, ifMatch: number | undefined): void {
  if (ifMatch !== undefined && ifMatch !== revision) {
    throw toSharedError("conflict", "changed_meanwhile", { revision, seen: ifMatch });
  }
}

/** Returns the quoted entity tag of a revision, for `ETag` and fields named `etag`. */
export function entityTag(revision: number): string {
  return `"${revision}"`;
}

/** Returns the revision of a text or file without a counter: 48 bits of its hash, exact in JSON. */
export function contentRevision(content: string | Uint8Array): number {
  return createHash("sha256").update(content).digest().readUIntBE(0, 6);
}
