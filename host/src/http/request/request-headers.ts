import type { Request } from "@hapi/hapi";

/** Returns the headers with lower-case names; repeated ones are joined, as Node does it. */
export function readHeaders({ headers }: Request): Readonly<Record<string, string | undefined>> {
  return headers as Readonly<Record<string, string | undefined>>;
}
