import type { Request } from "@hapi/hapi";
import type { Caller, Route } from "@parley/core";
import type { ClientFacts } from "@parley/core/http";

/** Context of a request from its arrival on. */
export interface RequestContext {
  requestId: string;
  client: ClientFacts;
  caller: Caller;
  /** Route of the request; undefined for an unknown path, and before routing. */
  route: Route | undefined;
  params: Readonly<Record<string, string>>;
}

/** Returns the fields of a request for a log line. */
export function toLogFields(request: Request): object {
  const { route } = request.app as RequestContext;
  return { method: request.method.toUpperCase(), path: request.path, ...(route && { row: route.path }) };
}
