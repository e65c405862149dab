import type { Request } from "@hapi/hapi";
import type { Caller, ClientFacts, Route } from "@parley/core";

/** What is known of a request, from its first look on. */
export interface Kept {
  requestId: string;
  client: ClientFacts;
  caller: Caller;
}
/** What a hapi route remembers of its row; undefined for what does not exist. */
export interface RouteNote {
  readonly row: Route | undefined;
}

/** For a line of the log. */
export function rowOf(request: Request): object {
  const { row } = (request.route.settings.app ?? {}) as Partial<RouteNote>;
  return { method: request.method.toUpperCase(), path: request.path, ...(row && { row: row.path }) };
}
