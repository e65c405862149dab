import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { isBoom } from "@hapi/boom";
import { type Request, type ResponseObject, type ResponseToolkit, Server } from "@hapi/hapi";
import {
  AppError,
  type Caller,
  HTTP_STATUS,
  isRawReply,
  isReply,
  newId,
  type RawReply,
  type Route,
  type RouteRequest,
  RouteTables,
} from "@parley/core";
import { createAuthentication } from "./authentication.ts";
import { checked, readBody } from "./body.ts";
import { type ClientFacts, createClientFacts } from "./client-address.ts";
import type { HttpGeneration } from "./front.ts";
import { addCors, addSecurityHeaders } from "./headers.ts";
import { hostRoutes } from "./host-routes.ts";
import { createIdempotency, type Idempotency } from "./idempotency.ts";
import { headersOf } from "./request-headers.ts";
import { MAX_UPLOAD_BYTES, uploadParts } from "./upload.ts";

const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule("node:http");
const MAX_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** The host's own rows besides those of the plugins. */
export interface Application {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

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
export async function createApplication(generation: HttpGeneration): Promise<Application> {
  const { from, sections, log } = generation;
  const web = sections.section("web");
  const factsOf = createClientFacts(web.trusted_proxies ?? "");
  // Stands for the listening socket, which is the front's; hapi closes it when a generation ends.
  const listener = Object.assign(new EventEmitter(), { close: (done: () => void) => done() });
  const server = new Server({
    listener: listener as never,
    autoListen: false,
    debug: false,
    operations: { cleanStop: false },
    compression: { minBytes: 1024 },
    router: { isCaseSensitive: true, stripTrailingSlash: false },
    routes: { payload: { timeout: 60_000 } },
  });
  const rows = [...from.all(RouteTables).flat(), ...hostRoutes(generation)];
  const authentication = createAuthentication(from);
  const idempotency = await createIdempotency(from);
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
    const { origin } = headersOf(request);
    const isAllowed = origin !== undefined && cors.includes(origin);
    if (isAllowed) addCors(res, origin);
    if (req.rawHeaders.filter((name) => name.toLowerCase() === "authorization").length > 1) {
      throw new AppError("bad_request", "authorization: is given twice");
    }
    return isAllowed && request.method === "options" ? h.response().code(204).takeover() : h.continue;
  });
  server.ext("onPreResponse", (request, h) => (isBoom(request.response) ? failureOf(request, h) : h.continue));
  const failureOf = (request: Request, h: ResponseToolkit) => {
    const { requestId } = request.app as Kept;
    const { code, message, retryAfterS } = knownFailure(request.response as Error, requestId);
    if (code === "internal") {
      const { row } = request.route.settings.app as Partial<RouteNote>;
      const name = row && `${row.method} ${row.path}`;
      log.error("a request failed", { requestId, row: name, path: request.path, error: request.response });
    }
    const response = h.response({ success: false, error: message, code }).code(HTTP_STATUS[code]);
    response.header("cache-control", "no-store");
    if (retryAfterS !== undefined) response.header("retry-after", String(retryAfterS));
    return response;
  };
  // Before the body is read: who may not call cannot make the service take in anything.
  server.auth.scheme("parley", () => ({
    async authenticate(request, h) {
      const kept = request.app as Kept;
      const { row } = request.route.settings.app as RouteNote;
      kept.caller = await authentication.check(request, kept.client, row);
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
        payload: payloadOf(row),
      } as never,
      handler: (request, h) => answer(row, request, h, idempotency),
    });
  }
  // Also what does not exist asks for a login first: nobody may explore.
  server.route({
    method: "*",
    path: "/{any*}",
    options: { auth: "login", app: { row: undefined } satisfies RouteNote },
    handler: (request) => {
      throw new AppError("not_found", `${request.method.toUpperCase()} ${request.path} does not exist`);
    },
  });
  await server.start();
  return {
    serve: (request, response) => void listener.emit("request", request, response),
    stop: () => server.stop({ timeout: 0 }),
  };
}

function payloadOf({ method, payload, maxBytes = MAX_BYTES }: Route): object | undefined {
  if (method === "GET") return undefined;
  if (payload === "upload") return { parse: false, output: "stream", maxBytes: MAX_UPLOAD_BYTES, timeout: false };
  return { parse: "gunzip", output: "data", maxBytes };
}

async function answer(row: Route, request: Request, h: ResponseToolkit, idempotency: Idempotency) {
  const { client, requestId, caller } = request.app as Kept;
  const isUpload = row.payload === "upload";
  const bytes = isUpload ? Buffer.alloc(0) : ((request.payload as Buffer | null) ?? Buffer.alloc(0));
  const run = async () => {
    const abort = abortedWhenGone(request);
    const params = request.params as Readonly<Record<string, string>>;
    const type = headersOf(request)["content-type"];
    const { body, parts } = await readBody(row, bytes, type, params);
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
  if (row.method === "POST" && key !== undefined && row.reply !== "raw" && !isUpload) {
    const principal = caller.credentialId || client.address;
    const call = { key, principal, path: request.path, bytes };
    let live: unknown;
    const { status, body, isReplay } = await idempotency.run(call, async () => {
      live = await run().catch((error) => error);
      return stored(live, requestId);
    });
    if (!isReplay && !(live instanceof Error)) return enveloped(live, h);
    const response = h.response(body).type("application/json").code(status).header("cache-control", "no-store");
    return isReplay ? response.header("idempotency-replayed", "true") : response;
  }
  const value = await run();
  return isRawReply(value) ? rawResponse(value, h) : enveloped(value, h);
}

async function* nothing(): AsyncGenerator<never> {}

function enveloped(value: unknown, h: ResponseToolkit): ResponseObject {
  const { data, message = "", status = 200, headers = {} } = isReply(value) ? value : { data: value };
  // Here, where what cannot be written as JSON is the row's failure.
  const body = JSON.stringify({ success: true, data: data ?? null, message });
  const response = h.response(body).type("application/json").code(status);
  response.header("cache-control", "no-store");
  const revision = (data as { revision?: unknown } | null | undefined)?.revision;
  if (typeof revision === "number") response.header("etag", `"${revision}"`);
  addHeaders(response, headers);
  return response;
}

function addHeaders(response: ResponseObject, headers: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, text);
    response.header(name, text);
  }
}

function rawResponse({ body, type, status = 200, headers = {} }: RawReply, h: ResponseToolkit): ResponseObject {
  const bytes = body instanceof Uint8Array && !Buffer.isBuffer(body) ? Buffer.from(body) : body;
  const response = h.response(bytes).code(status);
  // As given: hapi would add a character set to types that have none.
  response.header("content-type", type);
  addHeaders(response, headers);
  return response;
}

/** The answer as it will be repeated: also a refusal is an answer. */
function stored(value: unknown, requestId: string) {
  if (value instanceof Error) {
    if (!AppError.is(value) || HTTP_STATUS[value.code] >= 500 || value.code === "rate_limited") throw value;
    const { code, message } = knownFailure(value, requestId);
    return { status: HTTP_STATUS[code], body: JSON.stringify({ success: false, error: message, code }) };
  }
  const { data, message = "", status = 200 } = isReply(value) ? value : { data: value };
  return { status, body: JSON.stringify({ success: true, data: data ?? null, message }) };
}

async function timed(row: Route, abort: AbortController, run: () => unknown): Promise<unknown> {
  if (row.timeoutMs === false) return run();
  const ms = row.timeoutMs ?? TIMEOUT_MS;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = new AppError("timed_out", `no answer within ${ms / 1000} s`);
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

function knownFailure(error: Error, requestId: string) {
  if (AppError.is(error)) {
    const isOurs = error.code !== "internal";
    return {
      code: error.code,
      message: isOurs ? error.message : `internal error (${requestId})`,
      retryAfterS: error.retryAfterS,
    };
  }
  const status = isBoom(error) ? error.output.statusCode : 500;
  const code = (
    { 400: "bad_request", 404: "not_found", 408: "timed_out", 413: "too_large", 415: "bad_request" } as const
  )[status];
  if (code === undefined)
    return { code: "internal" as const, message: `internal error (${requestId})`, retryAfterS: undefined };
  const messages = { too_large: "the body is too large", not_found: "not found", timed_out: "the body took too long" };
  return {
    code,
    message: code === "bad_request" ? `request: ${error.message}` : messages[code],
    retryAfterS: undefined,
  };
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
