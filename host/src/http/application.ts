import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isBoom } from "@hapi/boom";
import { Router } from "@hapi/call";
import { type Request, type ResponseToolkit, Server } from "@hapi/hapi";
import type { Schema } from "@hapi/joi";
import {
  type Busy,
  type ErrorAnswer,
  type ErrorForm,
  ErrorForms,
  HTTP_STATUS,
  newId,
  Redaction,
  type RejectedRequest,
  type Route,
  RouteTables,
  Settings,
  Signals,
  toSharedError,
} from "@parley/core";
import { type ClientFacts, createClientFacts, webSection } from "@parley/core/http";
import { hostTexts } from "../texts.ts";
import { createHostRoutes } from "./host-routes.ts";
import type { HttpGeneration } from "./http-generation.ts";
import { createAuthentication } from "./request/authentication.ts";
import { type HandleRouteDeps, handleRoute } from "./request/handle-route.ts";
import { createIdempotency } from "./request/idempotency.ts";
import { checkHeaders, STREAM_OPTIONS } from "./request/payload.ts";
import { type RequestContext, toLogFields } from "./request/request-context.ts";
import { readHeaders } from "./request/request-headers.ts";
import { formatDetailHeader, readLanguage, toFailureResponse } from "./responses.ts";
import { addCors, addSecurityHeaders } from "./security-headers.ts";

const ANY_PATH = "/{any*}";

export interface Application {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** Dependencies of the HTTP application on the listening socket. */
export interface ApplicationDeps {
  readonly boundTo: string;
  /** Marks whether the last request on this connection was authenticated. */
  setAuthenticated(socket: IncomingMessage["socket"], isKnown: boolean): void;
  readonly onAnswer?: OnAnswer | undefined;
}

/** A response before it is sent; `text` is undefined when the body is not in memory. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string | undefined;
  /** Schema of error answers at this path, where they have another form than the envelope. */
  readonly refused?: Schema | undefined;
}
/** Called with each answer; `route` is undefined for unknown paths. */
export type OnAnswer = (route: Route | undefined, answer: OutgoingAnswer) => void;

/** Creates a hapi server without a socket, with the routes of a generation. */
export async function createApplication(
  generation: HttpGeneration,
  { boundTo, setAuthenticated, onAnswer }: ApplicationDeps,
): Promise<Application> {
  const { from, sections, log } = generation;
  const web = webSection(sections, from.find(Settings));
  const readClientFacts = createClientFacts({ web, boundTo });
  // Replaces the listening socket, which belongs to the front; hapi closes it when a generation ends.
  const listener = Object.assign(new EventEmitter(), { close: (done: () => void) => done() });
  const server = createServer(listener);
  const findRoute = createRouteFinder([...from.all(RouteTables).flat(), ...createHostRoutes(generation)]);
  const authentication = createAuthentication(from);
  const errorForms = from.all(ErrorForms);
  const idempotency = await createIdempotency(from);
  const redaction = from.find(Redaction);
  const cors = (web.cors_origins ?? "")
    .split(",")
    .map((origin) => origin.trim())
    .filter(Boolean);

  server.ext("onRequest", (request, h) => {
    const { req, res } = request.raw;
    const app = request.app as RequestContext;
    app.requestId = readRequestId(request);
    app.client = readClientFacts(req);
    res.setHeader("x-request-id", app.requestId);
    addSecurityHeaders(res);
    rejectForeignHost(req, app.client);
    Object.assign(app, findRoute(request));
    const { origin } = readHeaders(request);
    const isAllowed = origin !== undefined && cors.includes(origin);
    if (isAllowed) addCors(res, origin);
    return isAllowed && request.method === "options" ? h.response().code(204).takeover() : h.continue;
  });
  server.ext("onPreResponse", (request, h) => (isBoom(request.response) ? toErrorResponse(request, h) : h.continue));
  if (onAnswer) {
    server.ext("onPreResponse", (request, h) => {
      notifyAnswer(request, onAnswer, findErrorForm(errorForms, request.path)?.data);
      return h.continue;
    });
  }
  const toErrorResponse = (request: Request, h: ResponseToolkit) => {
    const { requestId } = request.app as RequestContext;
    const { status, code, message, retryAfterS, traceId, detail } = toFailureResponse(
      request.response as Error,
      requestId,
      readLanguage(request),
    );
    if (code === "internal")
      log.error("a request failed", { requestId, ...toLogFields(request), error: request.response });
    // In another language the sentence is built from its parameters, whose English form may have been masked away.
    const error = redaction?.mask(message) ?? message;
    const rejected = { method: request.method.toUpperCase(), path: request.path, status, code, message: error, detail };
    const answer = toErrorAnswer(rejected, errorForms);
    const response = h.response(answer.body).code(answer.status ?? status);
    response.header("cache-control", "no-store");
    for (const [name, text] of Object.entries(answer.headers ?? {})) response.header(name, text);
    if (retryAfterS !== undefined) response.header("retry-after", String(retryAfterS));
    if (traceId !== undefined) response.header("x-trace-id", traceId);
    if (detail) response.header("x-parley-error", formatDetailHeader(redaction?.mask(detail) ?? detail));
    return response;
  };
  // Runs before the body is read, so that unauthorized callers cannot upload one.
  server.auth.scheme("parley", () => ({
    async authenticate(request, h) {
      const context = request.app as RequestContext;
      const { route } = context;
      setAuthenticated(request.raw.req.socket, false);
      context.caller = await authentication.check(request, context.client, route);
      setAuthenticated(request.raw.req.socket, context.caller.kind !== "anonymous");
      checkHeaders(readHeaders(request), route);
      return h.authenticated({ credentials: {} });
    },
  }));
  server.auth.strategy("login", "parley");
  server.ext("onPreAuth", rejectBusy);
  const signals = from.find(Signals);
  mountRoutes(server, { idempotency, log, catchUp: signals?.isShared ? signals.catchUp : undefined });
  await server.start();
  return {
    serve: (request, response) => void listener.emit("request", request, response),
    stop: () => server.stop({ timeout: 0 }),
  };
}

function findErrorForm(forms: readonly ErrorForm[], path: string): ErrorForm | undefined {
  return forms.find((form) => path.startsWith(form.path));
}

/** Converts a rejection to the form of its path, else to the envelope. */
function toErrorAnswer(rejected: RejectedRequest, forms: readonly ErrorForm[]): ErrorAnswer {
  const { path, message: error, code } = rejected;
  return findErrorForm(forms, path)?.toAnswer(rejected) ?? { body: { success: false, error, code } };
}

/** Creates a hapi server that logs nothing and reads only bodies that routes request. */
function createServer(listener: EventEmitter): Server {
  return new Server({
    listener: listener as never,
    autoListen: false,
    debug: false,
    operations: { cleanStop: false },
    compression: { minBytes: 1024 },
    router: { isCaseSensitive: true, stripTrailingSlash: false },
    // Compression would hold back the events of a stream.
    mime: { override: { "text/event-stream": { compressible: false } } },
    routes: {
      // Cookies ignore ports, so cookies of other services arrive too; the service's own is read where needed.
      state: { parse: false, failAction: "ignore" },
      // Ranges are handled by the route.
      response: { ranges: false },
    },
  });
}

/** Creates a lookup of the route for a request by hapi's router. Registering each route as a hapi route would add 150 ms to a start (.github/decisions/hapi.md). */
function createRouteFinder(routes: readonly Route[]): (request: Request) => Pick<RequestContext, "route" | "params"> {
  const router = new Router<Route>({ isCaseSensitive: true });
  for (const route of routes) router.add(route, route);
  return ({ method, path }) => {
    const match = router.route(method, path);
    return match instanceof Error ? { route: undefined, params: {} } : { route: match.route, params: match.params };
  };
}

/** Mounts a handler for all paths. Unknown paths require a login first, so that anonymous callers cannot explore them. */
function mountRoutes(server: Server, parts: HandleRouteDeps): void {
  const handler = (request: Request, h: ResponseToolkit) => {
    const { route } = request.app as RequestContext;
    if (route) return handleRoute(route, request, h, parts);
    throw toSharedError("not_found", "no_such_row", { method: request.method.toUpperCase(), path: request.path });
  };
  server.route({ method: "GET", path: ANY_PATH, options: { auth: "login" }, handler });
  server.route({ method: "*", path: ANY_PATH, options: { auth: "login", payload: STREAM_OPTIONS } as never, handler });
}

/** Rejects a request early by the route's `busy`, before the body is read. */
function rejectBusy(request: Request, h: ResponseToolkit) {
  const { route, params, client } = request.app as RequestContext;
  const found = route?.busy?.({ params: params as never, address: client.address });
  return found?.wait ? found.wait().then((busy) => toBusyAnswer(busy, h)) : toBusyAnswer(found, h);
}

function toBusyAnswer(found: Busy | undefined, h: ResponseToolkit) {
  if (!found) return h.continue;
  const { reason, retryAfterS, traceId } = found;
  const response = h.response({ success: false, error: reason, code: "unavailable" }).code(HTTP_STATUS.unavailable);
  response.header("cache-control", "no-store");
  response.header("retry-after", String(retryAfterS));
  if (traceId !== undefined) response.header("x-trace-id", traceId);
  return response.takeover();
}

function notifyAnswer({ response, app, method }: Request, onAnswer: OnAnswer, refused: Schema | undefined): void {
  if (isBoom(response) || method === "options") return;
  const { route } = app as RequestContext;
  const { statusCode, headers, source } = response;
  const text = typeof source === "string" ? source : isJsonObject(source) ? JSON.stringify(source) : undefined;
  onAnswer(route, { status: statusCode, type: String(headers["content-type"] ?? "application/json"), text, refused });
}

function isJsonObject(source: unknown): boolean {
  return typeof source === "object" && source !== null && !(source instanceof Uint8Array) && !("pipe" in source);
}

/** Rejects foreign host names (DNS rebinding) and repeated `authorization` or `host` headers. */
function rejectForeignHost({ rawHeaders }: IncomingMessage, { isOwnHost }: ClientFacts): void {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  for (const name of ["authorization", "host"]) {
    if (names.indexOf(name) !== names.lastIndexOf(name))
      throw hostTexts.error("bad_request", "given_twice", {}, { field: name });
  }
  if (!isOwnHost) {
    throw hostTexts.error("permission_denied", "other_host");
  }
}

function readRequestId(request: Request): string {
  const given = readHeaders(request)["x-request-id"];
  return given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newId("req");
}
