import type { Readable } from "node:stream";
import type { Request, ResponseToolkit } from "@hapi/hapi";
import {
  AppError,
  type Caller,
  createNulError,
  hasNul,
  isRawReply,
  type Logger,
  type Route,
  type RouteRequest,
  routeName,
  toSharedError,
} from "@parley/core";
import { rejectAfter } from "@parley/core/async";
import { hostTexts } from "../../texts.ts";
import { toEnvelope, toRawResponse, toRepeatedResponse, toStoredAnswer } from "../responses.ts";
import type { Idempotency } from "./idempotency.ts";
import { readBytes, resolveMaxBytes } from "./payload.ts";
import { readBody, validate } from "./read-body.ts";
import { type RequestContext, toLogFields } from "./request-context.ts";
import { readHeaders } from "./request-headers.ts";
import { readUploadParts } from "./upload.ts";

const TIMEOUT_MS = 30_000;

export interface HandleRouteDeps {
  readonly idempotency: Idempotency;
  readonly log: Logger;
  /** Applies changes of other nodes; undefined in a single process. */
  readonly catchUp: (() => Promise<void>) | undefined;
}

/** Reads the request, runs its route (once per idempotency key) and wraps the result in the envelope. */
export async function handleRoute(
  route: Route,
  request: Request,
  h: ResponseToolkit,
  { idempotency, log, catchUp }: HandleRouteDeps,
) {
  const { client, requestId, caller, params } = request.app as RequestContext;
  const isUpload = route.payload === "upload";
  const source = request.payload as Readable | undefined;
  const { "content-encoding": encoding } = readHeaders(request);
  const bytes = isUpload || !source ? Buffer.alloc(0) : await readBytes(source, encoding, resolveMaxBytes(route));
  const run = async () => {
    const abort = createDisconnectAbort(request);
    if (hasNul(params)) throw createNulError("path");
    const type = readHeaders(request)["content-type"];
    const { body, parts } = await readBody(route, bytes, type, params, resolveMaxBytes(route));
    const routeRequest: RouteRequest = {
      params: params as never,
      query: route.query ? validate(route.query, request.query, "query") : undefined,
      body,
      parts,
      upload: isUpload ? readUploadParts(request.payload as Readable, type) : emptyUpload(),
      caller,
      requestId,
      address: client.address,
      origin: client.origin,
      headers: readHeaders(request),
      ifMatch: parseIfMatch(readHeaders(request)["if-match"]),
      signal: abort.signal,
    };
    return runWithTimeout(route, abort, () => runCaughtUp(route, routeRequest, catchUp));
  };
  const key = readHeaders(request)["idempotency-key"];
  if (key !== undefined && isIdempotent(route, caller)) {
    let live: unknown;
    const call = { key, principal: caller.credentialId, path: request.path, bytes };
    const answer = await idempotency.run(call, async () => {
      live = await run();
      return toStoredAnswer(live);
    });
    return answer.isReplay ? toRepeatedResponse(answer, h) : toEnvelope(live, h);
  }
  const value = await run();
  if (route.reply === "raw" && !isRawReply(value))
    throw new Error(`the raw route ${routeName(route)} must return rawReply(…)`);
  if (!isRawReply(value)) return toEnvelope(value, h);
  return toRawResponse(value, h, (error) =>
    log.error("an answer broke off", { requestId, ...toLogFields(request), error }),
  );
}

/** Runs a route. A GET that finds nothing is repeated after changes of other nodes were applied. */
async function runCaughtUp(route: Route, request: RouteRequest, catchUp: HandleRouteDeps["catchUp"]): Promise<unknown> {
  try {
    return await route.run(request);
  } catch (error) {
    if (!catchUp || route.method !== "GET" || !AppError.is(error) || error.code !== "not_found") throw error;
    await catchUp();
    return route.run(request);
  }
}

/** Returns true when the first answer is stored for repeats: only for POSTs with an effect by authenticated callers. */
function isIdempotent({ method, auth, scope, reply, payload }: Route, { kind }: Caller): boolean {
  const isDoing = method === "POST" && auth !== "open" && scope !== "read";
  return isDoing && kind !== "anonymous" && reply !== "raw" && payload !== "upload";
}

async function* emptyUpload(): AsyncGenerator<never> {}

async function runWithTimeout(route: Route, abort: AbortController, run: () => unknown): Promise<unknown> {
  if (route.timeoutMs === false) return run();
  const ms = route.timeoutMs ?? TIMEOUT_MS;
  return rejectAfter(Promise.resolve(run()), ms, () => {
    const reason = toSharedError("timed_out", "too_late", { seconds: ms / 1000 });
    abort.abort(reason);
    return reason;
  });
}

/** Creates a controller that aborts when the client disconnects before the response is complete. */
function createDisconnectAbort({ raw }: Request): AbortController {
  const controller = new AbortController();
  raw.res.once("close", () => {
    if (!raw.res.writableFinished) controller.abort(new AppError("timed_out", "the client has left"));
  });
  return controller;
}

/** Parses `If-Match`, weak or doubly quoted alike; `*` means any. Throws `conflict` for other forms and lists. */
function parseIfMatch(header: string | undefined): number | undefined {
  const tag = header?.trim();
  if (tag === undefined || tag === "*") return undefined;
  const [, , revision] = /^(?:W\/)?("{0,2})(\d{1,15})\1$/.exec(tag) ?? [];
  if (revision === undefined) throw hostTexts.error("conflict", tag.includes(",") ? "one_tag" : "other_tag");
  return Number(revision);
}
