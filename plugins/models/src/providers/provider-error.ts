import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  TypeValidationError,
} from "@ai-sdk/provider";
import {
  AppError,
  type Localized,
  type ModelErrorCategory,
  type ModelFailure,
  type Redaction,
  toLocalized,
} from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import { isObject } from "@parley/core/json";
import type { ModelFields } from "../records/model-fields.ts";
import { readErrorText } from "./error-events.ts";

const MAX_DETAIL = 500;

const QUOTA_PATTERN =
  /insufficient[_ ]quota|exceeded your current quota|billing|insufficient (balance|credit|funds)|余额不足|欠费/i;
const CONTEXT_PATTERN =
  /context[_ ]length|context window|maximum context|prompt is too long|too many (input )?tokens|input is too long|exceeds the maximum number of tokens/i;
const WRONG_KEY_PATTERN = /API_KEY_INVALID|api key not valid|(invalid|incorrect) api key/i;
const CONTENT_PATTERN = /content[_ ](policy|filter)|safety|moderation|responsible ai/i;
const RATE_PATTERN = /rate[_ ]?limit|too many requests/i;
const OVERLOADED_PATTERN = /overloaded|server[_ ]error|temporarily unavailable|internal error/i;

/** Classifies a provider's error; its text is truncated and masked. */
export function toModelFailure(error: unknown, redaction: Redaction): ModelFailure {
  const failure = classify(error);
  const detail = redaction.mask(failure.detail.replaceAll(/\s+/g, " ").trim());
  return { ...failure, detail: truncateWithEllipsis(detail, MAX_DETAIL) };
}

/** Protocols whose base address ends with a version. */
const VERSIONED_PROTOCOLS: ReadonlySet<string> = new Set(["openai_chat", "openai_responses"]);

/** Adds a hint to a 404 at an address without a path, where the address is more likely wrong than the model. */
export function addAddressHint(
  failure: ModelFailure,
  { protocol, base_url, append_base_url_path }: Pick<ModelFields, "protocol" | "base_url" | "append_base_url_path">,
): ModelFailure {
  const isBare = append_base_url_path && VERSIONED_PROTOCOLS.has(protocol) && URL.parse(base_url)?.pathname === "/";
  if (failure.statusCode !== 404 || !isBare) return failure;
  return addHint(failure, { en: "the address may be missing /v1", zh: "地址可能缺少 /v1" });
}

/** Adds a hint for an unreadable stream: the server may not support streaming. */
export function addStreamHint(failure: ModelFailure): ModelFailure {
  if (failure.category !== "invalid_response") return failure;
  return addHint(failure, {
    en: "if the server does not stream, switch off supports_stream",
    zh: "若服务器不支持流式输出，请关闭 supports_stream",
  });
}

function addHint(failure: ModelFailure, hint: Localized): ModelFailure {
  const { detail, chinese = detail } = failure;
  return { ...failure, detail: `${detail} (${hint.en})`, chinese: [chinese, hint.zh].filter(Boolean).join("；") };
}

function classify(error: unknown): ModelFailure {
  if (AppError.is(error)) return fromAppError(error);
  if (LoadAPIKeyError.isInstance(error)) return createFailure("no_key", error.message);
  if (APICallError.isInstance(error)) return fromApiCallError(error);
  if (JSONParseError.isInstance(error) && error.text.trim() === "") return EMPTY_FAILURE;
  const reported = readReportedError(error);
  if (reported !== undefined) return createFailure(toTextCategory(reported) ?? "server_error", reported);
  if (isUnreadable(error)) return UNREADABLE_FAILURE;
  if (error instanceof Error && error.name === "TimeoutError") return TIMEOUT_FAILURE;
  const text = toErrorText(error);
  return fromConnectionError(error) ?? createFailure(toTextCategory(text) ?? "server_error", text);
}

// Errors of `Egress` are classified by their code.
function fromAppError(error: AppError): ModelFailure {
  const wait = error.retryAfterS === undefined ? null : error.retryAfterS * 1000;
  const categories: Partial<Record<AppError["code"], ModelErrorCategory>> = {
    timed_out: "timeout",
    upstream_failed: "network",
    too_large: "invalid_response",
    rate_limited: "rate_limited",
    bad_request: "bad_request",
    unavailable: "no_key", // the stored key cannot be decrypted
  };
  const chinese = error.detail && toLocalized(error).zh;
  return { ...createFailure(categories[error.code] ?? "server_error", error.message, chinese), retryAfterMs: wait };
}

function fromApiCallError(error: APICallError): ModelFailure {
  if (AppError.is(error.cause)) return fromAppError(error.cause);
  const status = error.statusCode;
  if (status === undefined)
    return fromConnectionError(error.cause) ?? createFailure("network", toErrorText(error.cause ?? error));
  const broken = status < 400 ? fromConnectionError(error.cause) : undefined;
  if (broken) return { ...broken, statusCode: status };
  if (status < 400 && error.responseBody?.trim() === "") return { ...EMPTY_FAILURE, statusCode: status };
  const reported = status < 400 ? readReportedError(error.cause) : undefined;
  if (reported !== undefined)
    return { ...createFailure(toTextCategory(reported) ?? "server_error", reported), statusCode: status };
  if (status < 400) return { ...UNREADABLE_FAILURE, statusCode: status };
  const detail = toProviderText(error);
  const known = toTextCategory(`${detail} ${error.responseBody ?? ""}`);
  const retryAfterMs = parseRetryAfterMs(error.responseHeaders);
  return { category: toStatusCategory(status, known), statusCode: status, detail, retryAfterMs };
}

function toStatusCategory(status: number, known: ModelErrorCategory | undefined): ModelErrorCategory {
  if (status === 429) return known === "quota" ? "quota" : "rate_limited";
  if (status === 402 || known === "quota") return "quota";
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "model_missing";
  if (status === 408 || status === 504) return "timeout";
  if (status >= 500) return "server_error";
  return known === "context_length" || known === "content_refused" || known === "auth" ? known : "bad_request";
}

function toTextCategory(text: string): ModelErrorCategory | undefined {
  if (QUOTA_PATTERN.test(text)) return "quota";
  if (WRONG_KEY_PATTERN.test(text)) return "auth";
  if (CONTEXT_PATTERN.test(text)) return "context_length";
  if (CONTENT_PATTERN.test(text)) return "content_refused";
  if (RATE_PATTERN.test(text)) return "rate_limited";
  return OVERLOADED_PATTERN.test(text) ? "server_error" : undefined;
}

function toProviderText({ message, responseBody, statusCode }: APICallError): string {
  if (message && message !== "Invalid JSON response") return message;
  // The text is truncated only for output, because half a key could not be recognized for masking.
  return responseBody?.slice(0, MAX_DETAIL * 20) || `the provider answered ${statusCode}`;
}

function parseRetryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | null {
  const value = headers?.["retry-after"];
  if (!value) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

const EMPTY_FAILURE: ModelFailure = {
  ...createFailure("invalid_response", "the answer was empty", ""),
  reason: "empty",
};
const UNREADABLE_FAILURE = createFailure("invalid_response", "the answer could not be read", "");
const TIMEOUT_FAILURE = createFailure("timeout", "the model did not answer in time", "");

/** Returns the error in a body of status 200 that the library could not read as an answer. */
function readReportedError(error: unknown): string | undefined {
  return TypeValidationError.isInstance(error) && isObject(error.value) ? readErrorText(error.value) : undefined;
}

function isUnreadable(error: unknown): boolean {
  return (
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error)
  );
}

const SOCKET_CODES = /^(ECONN|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|EHOST|ENET|UND_ERR)/;
const SILENCE_CODES = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/;

/** Classifies a failure of the connection, anywhere in the chain of causes; undefined for other errors. */
function fromConnectionError(error: unknown): ModelFailure | undefined {
  const chain = listCauses(error);
  const codes = chain.map((one) => ("code" in one ? String(one.code) : ""));
  if (codes.some((code) => SILENCE_CODES.test(code))) return TIMEOUT_FAILURE;
  const isBroken =
    codes.some((code) => SOCKET_CODES.test(code)) || chain.some(({ message }) => message === "terminated");
  return isBroken ? createFailure("network", "the connection failed or broke off", "连接失败或中断") : undefined;
}

function listCauses(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : [];
}

function toErrorText(error: unknown): string {
  if (typeof error === "string") return error;
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "object" && error !== null) {
    const { message } = error as { readonly message?: unknown };
    return typeof message === "string" ? message : JSON.stringify(error);
  }
  return "unknown error";
}

/** Creates a failure; an empty `chinese` shows no details in Chinese, because the category says enough. */
function createFailure(category: ModelErrorCategory, detail: string, chinese?: string): ModelFailure {
  return { category, statusCode: null, detail, ...(chinese !== undefined && { chinese }), retryAfterMs: null };
}
