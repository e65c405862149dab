import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { isBoom } from "@hapi/boom";
import { type Request, type ResponseToolkit, Server } from "@hapi/hapi";
import {
  AppError,
  type Caller,
  type ClientFacts,
  createClientFacts,
  explained,
  HTTP_STATUS,
  hasNul,
  isRawReply,
  type Logger,
  newId,
  Redaction,
  type Route,
  type RouteRequest,
  RouteTables,
  Settings,
  webSection,
} from "@parley/core";
import { detailHeader, enveloped, failureOf, rawResponse, stored } from "./answers.ts";
import { createAuthentication } from "./authentication.ts";
import { checked, readBody } from "./body.ts";
import type { HttpGeneration } from "./front.ts";
import { addCors, addSecurityHeaders } from "./headers.ts";
import { hostRoutes } from "./host-routes.ts";
import { createIdempotency, type Idempotency } from "./idempotency.ts";
import { AS_IT_COMES, checkAnnounced, maxBytesOf, readBytes } from "./payload.ts";
import { headersOf } from "./request-headers.ts";
import { uploadParts } from "./upload.ts";

const TIMEOUT_MS = 30_000;

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

interface Kept {
  requestId: string;
  client: ClientFacts;
  caller: Caller;
}
/** What a hapi route remembers of its row; undefined for what does not exist. */
interface RouteNote {
  readonly row: Route | undefined;
}

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
  const server = new Server({
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
      handler: (request, h) => answer(row, request, h, { idempotency, log }),
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
  await server.start();
  return {
    serve: (request, response) => void listener.emit("request", request, response),
    stop: () => server.stop({ timeout: 0 }),
  };
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
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw new AppError("bad_request", `${name}: is given twice`);
  }
  if (!isOwnHost) {
    throw new AppError(
      "permission_denied",
      "host: is not an address of this service; config.ini names others: [web] public_base_url, allowed_hosts",
    );
  }
}

function rowOf(request: Request): object {
  const { row } = (request.route.settings.app ?? {}) as Partial<RouteNote>;
  return { method: request.method.toUpperCase(), path: request.path, ...(row && { row: row.path }) };
}

interface AnswerParts {
  readonly idempotency: Idempotency;
  readonly log: Logger;
}

async function answer(row: Route, request: Request, h: ResponseToolkit, { idempotency, log }: AnswerParts) {
  const { client, requestId, caller } = request.app as Kept;
  const isUpload = row.payload === "upload";
  const source = request.payload as Readable | undefined;
  const { "content-encoding": encoding } = headersOf(request);
  const bytes = isUpload || !source ? Buffer.alloc(0) : await readBytes(source, encoding, maxBytesOf(row));
  const run = async () => {
    const abort = abortedWhenGone(request);
    const params = request.params as Readonly<Record<string, string>>;
    if (hasNul(params)) throw new AppError("bad_request", "path: must not hold the character U+0000");
    const type = headersOf(request)["content-type"];
    const { body, parts } = await readBody(row, bytes, type, params, maxBytesOf(row));
    const asked: RouteRequest = {
      params: params as never,
      query: row.query ? checked(row.query, request.query, "query") : undefined,
      body,
      parts,
      upload: isUpload ? uploadParts(request.payload as Readable, type) : nothing(),
      caller,
      requestId,
      address: client.address,
      origin: client.origin,
      headers: headersOf(request),
      ifMatch: ifMatchOf(headersOf(request)["if-match"]),
      signal: abort.signal,
    };
    return timed(row, abort, () => row.run(asked));
  };
  const key = headersOf(request)["idempotency-key"];
  if (key !== undefined && isRepeatable(row, caller)) {
    let live: unknown;
    const call = { key, principal: caller.credentialId, path: request.path, bytes };
    const { status, body, isReplay } = await idempotency.run(call, async () => {
      live = await run();
      return stored(live);
    });
    if (!isReplay) return enveloped(live, h);
    const response = h.response(body).type("application/json").code(status).header("cache-control", "no-store");
    return response.header("idempotency-replayed", "true");
  }
  const value = await run();
  if (!isRawReply(value)) return enveloped(value, h);
  return rawResponse(value, h, (error) => log.error("an answer broke off", { requestId, ...rowOf(request), error }));
}

/** Whether a first answer is kept for repeats: only where something is done, and for those who have signed in. */
function isRepeatable({ method, auth, scope, reply, payload }: Route, { kind }: Caller): boolean {
  const isDoing = method === "POST" && auth !== "open" && scope !== "read";
  return isDoing && kind !== "anonymous" && reply !== "raw" && payload !== "upload";
}

async function* nothing(): AsyncGenerator<never> {}

async function timed(row: Route, abort: AbortController, run: () => unknown): Promise<unknown> {
  if (row.timeoutMs === false) return run();
  const ms = row.timeoutMs ?? TIMEOUT_MS;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = explained("timed_out", "too_late", { seconds: ms / 1000 });
      abort.abort(reason);
      reject(reason);
    }, ms);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Aborts when the client has left before its answer was whole. */
function abortedWhenGone({ raw }: Request): AbortController {
  const controller = new AbortController();
  raw.res.once("close", () => {
    if (!raw.res.writableFinished) controller.abort(new AppError("timed_out", "the client has left"));
  });
  return controller;
}

function requestIdOf(request: Request): string {
  const given = headersOf(request)["x-request-id"];
  return given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newId("req");
}

function ifMatchOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const revision = /^"(\d{1,15})"$/.exec(header)?.[1];
  if (revision === undefined) throw new AppError("bad_request", 'if-match: write the revision in quotes, like "3"');
  return Number(revision);
}
