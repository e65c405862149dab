import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isBoom } from "@hapi/boom";
import { type Request, type ResponseToolkit, Server } from "@hapi/hapi";
import {
  type ClientFacts,
  createClientFacts,
  explained,
  HTTP_STATUS,
  newId,
  Redaction,
  type Route,
  RouteTables,
  Settings,
  webSection,
} from "@parley/core";
import { hostFailure } from "../said-failures.ts";
import { type AnswerParts, answerRow } from "./answer-row.ts";
import { detailHeader, failureOf } from "./answers.ts";
import { createAuthentication } from "./authentication.ts";
import type { HttpGeneration } from "./front.ts";
import { addCors, addSecurityHeaders } from "./headers.ts";
import { hostRoutes } from "./host-routes.ts";
import { createIdempotency } from "./idempotency.ts";
import { AS_IT_COMES, checkAnnounced } from "./payload.ts";
import { headersOf } from "./request-headers.ts";
import { type Kept, type RouteNote, rowOf } from "./request-notes.ts";

export interface Application {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** What the listening socket says and is told. */
export interface Listening {
  readonly boundTo: string;
  /** Whether who last asked on this connection has signed in. */
  know(socket: IncomingMessage["socket"], isKnown: boolean): void;
  readonly onAnswer?: OnAnswer | undefined;
}

/** An answer as it goes out; `text` is undefined where it is not held. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string | undefined;
}
/** `row` is undefined for what does not exist. */
export type OnAnswer = (row: Route | undefined, answer: OutgoingAnswer) => void;

/** A hapi server without a socket of its own, with every row of a generation mounted. */
export async function createApplication(
  generation: HttpGeneration,
  { boundTo, know, onAnswer }: Listening,
): Promise<Application> {
  const { from, sections, log } = generation;
  const web = webSection(sections, from.find(Settings));
  const factsOf = createClientFacts({ web, boundTo });
  // Stands for the listening socket, which is the front's; hapi closes it when a generation ends.
  const listener = Object.assign(new EventEmitter(), { close: (done: () => void) => done() });
  const server = serverOn(listener);
  const rows = [...from.all(RouteTables).flat(), ...hostRoutes(generation)];
  const authentication = createAuthentication(from);
  const idempotency = await createIdempotency(from);
  const redaction = from.find(Redaction);
  const cors = (web.cors_origins ?? "")
    .split(",")
    .map((origin) => origin.trim())
    .filter(Boolean);

  server.ext("onRequest", (request, h) => {
    const { req, res } = request.raw;
    const app = request.app as Kept;
    app.requestId = requestIdOf(request);
    app.client = factsOf(req);
    res.setHeader("x-request-id", app.requestId);
    addSecurityHeaders(res);
    refuseStrange(req, app.client);
    const { origin } = headersOf(request);
    const isAllowed = origin !== undefined && cors.includes(origin);
    if (isAllowed) addCors(res, origin);
    return isAllowed && request.method === "options" ? h.response().code(204).takeover() : h.continue;
  });
  server.ext("onPreResponse", (request, h) => (isBoom(request.response) ? refusal(request, h) : h.continue));
  if (onAnswer) {
    server.ext("onPreResponse", (request, h) => {
      tell(request, onAnswer);
      return h.continue;
    });
  }
  const refusal = (request: Request, h: ResponseToolkit) => {
    const { requestId } = request.app as Kept;
    const { status, code, message, retryAfterS, traceId, detail } = failureOf(request.response as Error, requestId);
    if (code === "internal") log.error("a request failed", { requestId, ...rowOf(request), error: request.response });
    const response = h.response({ success: false, error: message, code }).code(status);
    response.header("cache-control", "no-store");
    if (retryAfterS !== undefined) response.header("retry-after", String(retryAfterS));
    if (traceId !== undefined) response.header("x-trace-id", traceId);
    if (detail) response.header("x-parley-error", detailHeader(redaction?.mask(detail) ?? detail));
    return response;
  };
  // Before the body is read: who may not call cannot make the service take in anything.
  server.auth.scheme("parley", () => ({
    async authenticate(request, h) {
      const kept = request.app as Kept;
      const { row } = request.route.settings.app as RouteNote;
      know(request.raw.req.socket, false);
      kept.caller = await authentication.check(request, kept.client, row);
      know(request.raw.req.socket, kept.caller.kind !== "anonymous");
      checkAnnounced(headersOf(request), row);
      return h.authenticated({ credentials: {} });
    },
  }));
  server.auth.strategy("login", "parley");
  mountRows(server, rows, { idempotency, log });
  await server.start();
  return {
    serve: (request, response) => void listener.emit("request", request, response),
    stop: () => server.stop({ timeout: 0 }),
  };
}

/** Says nothing by itself, and reads nothing that no row has asked for. */
function serverOn(listener: EventEmitter): Server {
  return new Server({
    listener: listener as never,
    autoListen: false,
    debug: false,
    operations: { cleanStop: false },
    compression: { minBytes: 1024 },
    router: { isCaseSensitive: true, stripTrailingSlash: false },
    routes: {
      // Cookies know no ports: those of others that come along are none of our business. Our own is read where it counts.
      state: { parse: false, failAction: "ignore" },
      // Parts of a file are given out by the row that knows it.
      response: { ranges: false },
    },
  });
}

function mountRows(server: Server, rows: readonly Route[], parts: AnswerParts): void {
  for (const row of rows) {
    server.route({
      method: row.method,
      path: row.path,
      options: {
        auth: "login",
        app: { row } satisfies RouteNote,
        ...(row.method !== "GET" && { payload: AS_IT_COMES }),
        ...(row.busy && { ext: { onPreAuth: { method: sheds(row.busy) } } }),
      } as never,
      handler: (request, h) => answerRow(row, request, h, parts),
    });
  }
  // Also what does not exist asks for a login first: nobody may explore.
  server.route({
    method: "*",
    path: "/{any*}",
    options: { auth: "login", app: { row: undefined } satisfies RouteNote, payload: AS_IT_COMES },
    handler: (request) => {
      throw explained("not_found", "no_such_row", { method: request.method.toUpperCase(), path: request.path });
    },
  });
}

/** Answers what would be refused anyway while it costs little: nothing of it was read, and nobody's fault is made up. */
function sheds(busy: NonNullable<Route["busy"]>) {
  return (request: Request, h: ResponseToolkit) => {
    const { address } = (request.app as Kept).client;
    const found = busy({ params: request.params as never, address });
    if (!found) return h.continue;
    const { reason, retryAfterS, traceId } = found;
    const response = h.response({ success: false, error: reason, code: "unavailable" }).code(HTTP_STATUS.unavailable);
    response.header("cache-control", "no-store");
    response.header("retry-after", String(retryAfterS));
    if (traceId !== undefined) response.header("x-trace-id", traceId);
    return response.takeover();
  };
}

function tell({ response, route, method }: Request, onAnswer: OnAnswer): void {
  if (isBoom(response) || method === "options") return;
  const { row } = (route.settings.app ?? {}) as Partial<RouteNote>;
  const { statusCode: status, headers, source } = response;
  const text = typeof source === "string" ? source : isPlain(source) ? JSON.stringify(source) : undefined;
  onAnswer(row, { status, type: String(headers["content-type"] ?? "application/json"), text });
}

function isPlain(source: unknown): boolean {
  return typeof source === "object" && source !== null && !(source instanceof Uint8Array) && !("pipe" in source);
}

/** What a page elsewhere can have a browser send: a name that is not ours. And what nobody sends for good. */
function refuseStrange({ rawHeaders }: IncomingMessage, { isOwnHost }: ClientFacts): void {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  for (const name of ["authorization", "host"]) {
    if (names.indexOf(name) !== names.lastIndexOf(name))
      throw hostFailure("bad_request", "given_twice", {}, { field: name });
  }
  if (!isOwnHost) {
    throw hostFailure("permission_denied", "other_host");
  }
}

function requestIdOf(request: Request): string {
  const given = headersOf(request)["x-request-id"];
  return given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newId("req");
}
