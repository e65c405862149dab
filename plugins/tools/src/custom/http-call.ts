import {
  AppError,
  charsetOf,
  deadline,
  decodeText,
  type Egress,
  type EgressPolicy,
  type Environment,
  toSharedError,
} from "@parley/core";
import type { HttpImplementation } from "../schema.ts";
import { toolsTexts } from "../texts.ts";
import { buildRequest, type ToolRequest } from "./http-request.ts";
import { type Arguments, getValue } from "./template.ts";

const MAX_READ_BYTES = 1024 * 1024;
const MAX_ERROR_CHARS = 500;
/** Upper limit for all tools; each tool enforces its own limit within it. */
const MAX_TIMEOUT_MS = 60_000;

export interface HttpCallDeps {
  readonly egress: () => Egress;
  readonly environment: () => Environment;
  /** Returns which addresses may be called. */
  readonly reach: () => EgressPolicy["reach"];
}

/** Observes request and response of a tool trial. */
export interface CallObserver {
  request(request: ToolRequest): void;
  status(status: number): void;
}

const NO_OBSERVER: CallObserver = { request() {}, status() {} };

/** Sends the request of an http tool and returns the configured part of the response. */
export async function callHttp(
  implementation: HttpImplementation,
  args: Arguments,
  deps: HttpCallDeps,
  signal: AbortSignal,
  observer: CallObserver = NO_OBSERVER,
): Promise<string> {
  const { timeout_s, max_length, response_path, error_message, headers_env } = implementation;
  const request = buildRequest(implementation, args);
  const secrets = readSecretHeaders(headers_env, deps.environment());
  const headers = { ...request.headers, ...secrets };
  observer.request({ ...request, headers: { ...request.headers, ...mapValues(secrets, () => "***") } });
  using limit = deadline(timeout_s * 1_000, signal);
  const toToolError = (error: unknown): unknown => {
    if (signal.aborted) return signal.reason;
    const late = limit.signal.aborted
      ? toolsTexts.error("timed_out", "host_too_late", { host: new URL(request.url).host, seconds: timeout_s })
      : error;
    // People see the error in the log and in a test; the model gets the configured message.
    return error_message === "" || !AppError.is(late) ? late : new AppError(late.code, error_message, { cause: late });
  };
  try {
    const send = deps.egress().fetch({
      reach: deps.reach(),
      redirects: 3,
      timeoutMs: MAX_TIMEOUT_MS,
      maxBytes: MAX_READ_BYTES * 16,
    });
    const { method, url, body } = request;
    const response = await send(url, { method, headers, ...(body !== undefined && { body }), signal: limit.signal });
    observer.status(response.status);
    const text = await readText(response);
    if (!response.ok) {
      const detail = text.trim().slice(0, MAX_ERROR_CHARS);
      throw toolsTexts.error("upstream_failed", "answered", { status: response.status, said: detail && `: ${detail}` });
    }
    return truncate(response_path === "" ? text : extractPart(text, response_path), max_length);
  } catch (error) {
    throw toToolError(error);
  }
}

function readSecretHeaders(
  names: HttpImplementation["headers_env"],
  environment: Environment,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).map(([header, variable]) => {
      const value = environment.secret(variable);
      if (value === undefined) throw toSharedError("unavailable", "variable_not_set", { variable });
      return [header, value];
    }),
  );
}

function mapValues(values: Readonly<Record<string, string>>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

/** Reads a response up to the limit; the rest is not downloaded. */
async function readText(response: Response): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, MAX_READ_BYTES - size));
    size += chunk.length;
    if (size >= MAX_READ_BYTES) break;
  }
  const charset = charsetOf(response.headers.get("content-type"));
  const bytes = Buffer.concat(chunks);
  return decodeText(bytes, { charset, isCut: size >= MAX_READ_BYTES }) ?? new TextDecoder().decode(bytes);
}

function extractPart(text: string, path: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw toolsTexts.error("upstream_failed", "no_json");
  }
  const found = getValue(answer, path);
  if (found === undefined) throw toolsTexts.error("upstream_failed", "no_part", { path });
  return typeof found === "string" ? found : JSON.stringify(found);
}

/** Truncates a text and notes that it was longer. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const shortened = [...text.slice(0, most * 2)].slice(0, most).join("");
  return shortened.length === text.length ? text : `${shortened}\n… (cut after ${most} characters)`;
}
