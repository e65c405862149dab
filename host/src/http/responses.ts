import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { isBoom } from "@hapi/boom";
import type { Request, ResponseObject, ResponseToolkit } from "@hapi/hapi";
import {
  AppError,
  acceptedLanguage,
  type ErrorCode,
  type ErrorDetail,
  entityTag,
  type FieldProblem,
  formatFailure,
  HTTP_STATUS,
  isReply,
  type RawReply,
  translateAnswer,
} from "@parley/core";
import { hostTexts } from "../texts.ts";

const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule("node:http");

interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

export interface FailureResponse {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterS: number | undefined;
  readonly traceId?: string | undefined;
  readonly detail?: ErrorDetail | undefined;
}

/** Wraps an answer in the envelope, with its sentences in the reader's language. Throws here for unserializable values, while an error answer is still possible. */
export function toEnvelope(value: unknown, h: ResponseToolkit): ResponseObject {
  const { data, message = "", status = 200, headers = {} } = isReply(value) ? value : { data: value };
  const translated = translateAnswer(data ?? null, readLanguage(h.request));
  const response = h.response(JSON.stringify({ success: true, data: translated, message })).code(status);
  response.type("application/json").header("cache-control", "no-store");
  const revision = (data as { revision?: unknown } | null | undefined)?.revision;
  return setHeaders(response, { ...(typeof revision === "number" && { etag: entityTag(revision) }), ...headers });
}

/** Returns the language that the request's reader prefers. */
export function readLanguage({ headers }: Pick<Request, "headers">): string {
  return acceptedLanguage(String(headers["accept-language"] ?? ""));
}

/** Sends a raw answer unchanged; `onBroken` is called when its stream breaks off, since the client can only be disconnected. */
export async function toRawResponse(
  { body, type, status = 200, headers = {} }: RawReply,
  h: ResponseToolkit,
  onBroken: (error: Error) => void,
): Promise<ResponseObject> {
  const isPacked = Buffer.isBuffer(body) && isCompressible(body, type, headers, h);
  const response = h.response(isPacked ? await compressOnce(body) : toSendable(body, onBroken)).code(status);
  // Sends the type as given: hapi would add a charset to types without one.
  return setHeaders(response, {
    "content-type": type,
    ...headers,
    ...(isPacked && { "content-encoding": "gzip", vary: "accept-encoding" }),
  });
}

const MIN_COMPRESSED_BYTES = 1_024;

function isCompressible(
  body: Buffer,
  type: string,
  headers: Readonly<Record<string, string>>,
  { request }: ResponseToolkit,
): boolean {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (body.length < MIN_COMPRESSED_BYTES || !/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:$|[\s,]))/i.test(accepted)) return false;
  return headers["content-encoding"] === undefined && request.server.mime.type(type).compressible;
}

const compressedByBody = new WeakMap<Buffer, Promise<Buffer>>();
const compress = promisify(gzip);

/** Compresses a body once, however often it is sent. */
function compressOnce(body: Buffer): Promise<Buffer> {
  const known = compressedByBody.get(body);
  if (known) return known;
  const made = compress(body);
  compressedByBody.set(body, made);
  return made;
}

/** Returns the answer as it is stored for repeats: in English, since the repeating reader may have another language. */
export function toStoredAnswer(value: unknown): StoredAnswer {
  const { data, message = "", status = 200 } = isReply(value) ? value : { data: value };
  return { status, body: JSON.stringify({ success: true, data: data ?? null, message }) };
}

/** Sends a stored answer again, with its sentences in the reader's language. */
export function toRepeatedResponse({ status, body }: StoredAnswer, h: ResponseToolkit): ResponseObject {
  const language = readLanguage(h.request);
  const translated = language === "en" ? body : JSON.stringify(translateAnswer(JSON.parse(body), language));
  const response = h.response(translated).type("application/json").code(status).header("cache-control", "no-store");
  return response.header("idempotency-replayed", "true");
}

/** Converts an error to its response in the reader's language; an unexpected one reveals only the request id. */
export function toFailureResponse(error: Error, requestId: string, language: string): FailureResponse {
  const failure = describeFailure(error, requestId);
  const { code, message, detail } = failure;
  const others = detail?.others?.map(({ error: sentence, field, ...known }) => ({
    ...known,
    ...(field !== undefined && { field }),
    error: formatFailure({ error: sentence, code, detail: known }, language),
  }));
  return {
    ...failure,
    message: formatFailure({ error: message, code, detail }, language),
    ...(detail && { detail: { ...detail, ...(others && { others }) } }),
  };
}

function describeFailure(error: Error, requestId: string): FailureResponse {
  const internal = { status: 500, code: "internal", message: `internal error (${requestId})` } as const;
  if (AppError.is(error)) {
    const { code, message, retryAfterS, traceId, detail = toFieldDetail(error) } = error;
    return code === "internal"
      ? { ...internal, retryAfterS, traceId }
      : { status: HTTP_STATUS[code], code, message, retryAfterS, traceId, detail };
  }
  const status = isBoom(error) ? error.output.statusCode : 500;
  const known = HAPI_ERRORS[status];
  if (!known) return { ...internal, retryAfterS: undefined };
  const { code, message, detail } = known(error);
  return { status: HTTP_STATUS[code], code, message, retryAfterS: undefined, ...(detail && { detail }) };
}

/** Prefix of messages about a field: `config.webhook_url: must be https`. */
const FIELD_PREFIX = /^([a-z][a-z0-9_]*(?:\.\w+)*): /;

function toFieldDetail({ code, message }: AppError): ErrorDetail | undefined {
  const field = code === "bad_request" || code === "conflict" ? FIELD_PREFIX.exec(message)?.[1] : undefined;
  return field === undefined ? undefined : { key: code, field };
}

const MAX_DETAIL_LENGTH = 1_024;
/** Maximum length of an error detail with all problems; proxies often accept only 4 KiB of headers. */
const MAX_FULL_DETAIL_LENGTH = 2_048;

/** Formats a detail as a header: JSON in ASCII. One that is too long omits its parameters and contains as many further problems as fit. */
export function formatDetailHeader({ key, field, params, texts, others = [] }: ErrorDetail): string {
  const named = { key, ...(field !== undefined && { field }) };
  const detail = { ...named, ...(params && { params }) };
  const forms = [{ ...detail, ...(texts && { texts }) }, detail, named, { key: key.slice(0, 100) }];
  const first = forms.find((form) => toAsciiJson(form).length <= MAX_DETAIL_LENGTH) ?? {};
  let written = toAsciiJson(first);
  for (let most = 1; most <= others.length; most += 1) {
    const longer = toAsciiJson({ ...first, others: others.slice(0, most).map(toPlainProblem) });
    if (longer.length > MAX_FULL_DETAIL_LENGTH) break;
    written = longer;
  }
  return written;
}

const toPlainProblem = ({ chinese: _, ...problem }: FieldProblem): FieldProblem => problem;

function toAsciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const toBadRequest = ({ message }: Error) => new AppError("bad_request", `request: ${message}`);
const HAPI_ERRORS: Readonly<Record<number, (error: Error) => AppError>> = {
  400: toBadRequest,
  404: () => hostTexts.error("not_found", "not_found"),
  408: () => hostTexts.error("timed_out", "body_late"),
  413: () => hostTexts.error("too_large", "body_large"),
  415: toBadRequest,
};

function toSendable(body: RawReply["body"], onBroken: (error: Error) => void): string | Buffer | Readable {
  if (body instanceof Readable) {
    body.once("error", onBroken);
    // hapi only accepts byte streams, and most text sources are object streams.
    return body.readableObjectMode ? Readable.from(body, { objectMode: false }) : body;
  }
  return typeof body === "string" || Buffer.isBuffer(body) ? body : Buffer.from(body);
}

function setHeaders(response: ResponseObject, headers: Readonly<Record<string, string>>): ResponseObject {
  for (const [name, text] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, text);
    response.header(name, text);
  }
  return response;
}
