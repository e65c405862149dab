import type { Request } from "@hapi/hapi";

/** Lower-case names; what was sent twice is joined, as Node does it. */
export function readHeaders({ headers }: Request): Readonly<Record<string, string | undefined>> {
  return headers as Readonly<Record<string, string | undefined>>;
}
