import { Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AppError, type EgressPolicy } from "@parley/core";
import { Agent, type Dispatcher, request } from "undici";
import { hostTexts } from "../texts.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Responses up to this size are read before they are returned, because most are small and streams are expensive. */
const SMALL_BYTES = 64 * 1024;
const DEFAULT_HEADERS = { accept: "*/*", "user-agent": "parley" };
const BODYLESS_STATUSES = new Set([204, 205, 304]);

/** Resolves a name to its addresses; throws when one of them is forbidden. */
export type Lookup = (name: string, reach: EgressPolicy["reach"]) => Promise<readonly Address[]>;
export type Send = (url: URL, init: RequestInit, policy: EgressPolicy) => Promise<Response>;

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Creates the HTTP client on undici, whose 5 MB are loaded with the first request. */
export function createClient(lookup: Lookup): Send {
  const agents = new Map<string, Agent>();
  const getAgent = (policy: EgressPolicy): Agent => {
    const key = `${policy.reach} ${policy.timeoutMs} ${policy.maxBytes}`;
    const agent = agents.get(key) ?? createAgent(policy, lookup);
    agents.set(key, agent);
    return agent;
  };
  return async (url, init, policy) => {
    try {
      const asked = { ...toRequestOptions(url, init), method: (init.method ?? "GET") as Dispatcher.HttpMethod };
      const signal = init.signal ?? null;
      const answer = await request(url, { ...asked, signal, dispatcher: getAgent(policy) });
      return await toResponse(answer, url, policy.maxBytes ?? MAX_BYTES);
    } catch (error) {
      throw toEgressError(error, url);
    }
  };
}

function createAgent({ reach, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: EgressPolicy, find: Lookup): Agent {
  return new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBytes,
    keepAliveTimeout: 4_000,
    connect: {
      timeout: Math.min(timeoutMs, 10_000),
      lookup(name, options, callback) {
        find(name, reach).then(
          (found) => {
            const [{ address, family } = { address: "", family: 0 }] = found;
            if (options.all) callback(null, [...found] as never);
            else callback(null, address, family);
          },
          (error) => callback(error, "", 0),
        );
      },
    },
  });
}

/** Returns headers and body as `fetch` would send them. */
function toRequestOptions(url: URL, { method, headers: given, body }: RequestInit) {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS };
  for (const [name, value] of listHeaders(given)) headers[name.toLowerCase()] = value;
  // A Node stream is sent directly: converted to a web stream, it could fail unnoticed after its end.
  const isPlain = typeof body === "string" || body instanceof Uint8Array || body instanceof Readable;
  // The platform serializes forms, blobs and web streams.
  const sent =
    !body || isPlain ? undefined : new Request(url, { method: method ?? "POST", body, duplex: "half" } as RequestInit);
  const type = typeof body === "string" ? "text/plain;charset=UTF-8" : sent?.headers.get("content-type");
  if (type) headers["content-type"] ??= type;
  return {
    headers,
    body: isPlain ? body : sent?.body ? Readable.fromWeb(sent.body as never) : null,
  };
}

/** Lists the headers; a plain object, the usual form, is read without conversion. */
function listHeaders(given: RequestInit["headers"]): Iterable<readonly [string, string]> {
  const isPlain = given !== undefined && Object.getPrototypeOf(given) === Object.prototype;
  return isPlain ? Object.entries(given as Record<string, string>) : new Headers(given);
}

async function toResponse(
  { statusCode, statusText, headers, body }: Dispatcher.ResponseData,
  url: URL,
  maxBytes: number,
): Promise<Response> {
  const init = { status: statusCode, statusText, headers: toHeaders(headers) };
  if (BODYLESS_STATUSES.has(statusCode)) {
    await body.dump();
    return new Response(null, init);
  }
  const encoding = init.headers.get("content-encoding") ?? "";
  if (encoding !== "")
    return new Response(ReadableStream.from(limitChunks(decodeBody(body, encoding), url, maxBytes)), init);
  const length = Number(headers["content-length"] ?? Number.NaN);
  if (length <= SMALL_BYTES) return new Response(await body.arrayBuffer(), init);
  return new Response(ReadableStream.from(limitChunks(body, url, maxBytes)), init);
}

function toHeaders(given: Dispatcher.ResponseData["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  return headers;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Decompresses a response; some servers compress without being asked to. */
function decodeBody(body: Readable, encoding: string): Readable {
  const decoder = DECODERS[encoding.trim().toLowerCase()]?.();
  if (!decoder) return body;
  body.on("error", (error) => decoder.destroy(error));
  decoder.on("close", () => body.destroy());
  return body.pipe(decoder);
}

/** Limits the size of the decompressed body as well. */
async function* limitChunks(body: Readable, url: URL, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw hostTexts.error("too_large", "egress_large", { host: url.host });
      yield chunk;
    }
  } catch (error) {
    throw toEgressError(error, url);
  }
}

/** Error codes for an existing connection that the other side closed. */
const CLOSED_CODES: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

function toEgressError(error: unknown, { host }: URL): unknown {
  if (AppError.is(error)) return error;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (AppError.is(cause)) return cause;
  if (error instanceof Error && error.name === "AbortError") return error;
  const code = (cause as { code?: string }).code ?? "";
  if (/TIMEOUT/.test(code)) return hostTexts.error("timed_out", "egress_late", { host }, { cause: error });
  if (/EXCEEDED/.test(code)) return hostTexts.error("too_large", "egress_large", { host }, { cause: error });
  const which = CLOSED_CODES.has(code) ? "egress_closed" : "egress_unreachable";
  return hostTexts.error("upstream_failed", which, { host, code: code && ` (${code})` }, { cause: error });
}
