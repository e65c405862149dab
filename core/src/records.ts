import { explained } from "./error-texts.ts";

/** The fields every record carries. */
export interface Common {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: number;
}

/** Throws `conflict` when a caller's `If-Match` is not the record's revision. */
export function checkRevision({ revision }: { readonly revision: number }, ifMatch: number | undefined): void {
  if (ifMatch !== undefined && ifMatch !== revision) {
    throw explained("conflict", "changed_meanwhile", { revision, seen: ifMatch });
  }
}
