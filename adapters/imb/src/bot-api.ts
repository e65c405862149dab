import { DeliveryError, type DeliveryFailure, deadline, deliveryFailure } from "@parley/core";
import { connectionFailure, type MultipartFile, multipartBody } from "@parley/core/channels";

/** The platform's response to every call. */
export type BotResponse<Result> =
  | { readonly ok: true; readonly result: Result }
  | {
      readonly ok: false;
      readonly error_code: number;
      readonly description?: string;
      readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
    };

export interface BotApiOptions {
  /** Address of the API, without a slash at the end. */
  readonly base: string;
  /** Returns the token for each call, so that a changed variable applies at once. */
  readonly token: () => string | undefined;
  readonly tokenVariable: string;
  readonly fetch: typeof fetch;
}

export interface CallOptions {
  /** Class of the error when the platform may have executed the call. Default: `unavailable`. */
  readonly unclearFailure?: DeliveryFailure;
  /** Default: ten seconds. */
  readonly timeoutMs?: number;
}

/** Client of the Bot API. Errors never contain the token, which is part of every URL. */
export interface BotApi {
  /** Throws `DeliveryError`. */
  call<Result>(method: string, body: object, signal: AbortSignal, options?: CallOptions): Promise<Result>;
  upload<Result>(
    method: string,
    fields: object,
    file: MultipartFile,
    signal: AbortSignal,
    unclearFailure?: DeliveryFailure,
  ): Promise<Result>;
  /** Downloads the file at a path from `getFile`. */
  download(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

const TIMEOUT_MS = 10_000;
const MEDIA_TIMEOUT_MS = 60_000;

export function createBotApi({ base, token, tokenVariable, fetch: ask }: BotApiOptions): BotApi {
  const getToken = () => {
    const secret = token();
    if (secret === undefined) throw deliveryFailure("auth", "variable", { variable: tokenVariable });
    return secret;
  };
  const post = async <Result>(
    method: string,
    body: { readonly body: string | Uint8Array; readonly type: string },
    signal: AbortSignal,
    unclearFailure: DeliveryFailure,
  ): Promise<Result> => {
    const secret = getToken();
    let answer: BotResponse<Result>;
    try {
      const response = await ask(`${base}/bot${secret}/${method}`, {
        method: "POST",
        headers: { "content-type": body.type },
        body: body.body as NonNullable<RequestInit["body"]>,
        signal,
        redirect: "manual",
      });
      answer = await parseResponse<Result>(response);
    } catch (error) {
      throw connectionFailure(method, error, unclearFailure);
    }
    if (answer.ok) return answer.result;
    throw toDeliveryError(method, answer, unclearFailure);
  };
  return {
    async call(method, body, signal, { unclearFailure = "unavailable", timeoutMs = TIMEOUT_MS } = {}) {
      using limit = deadline(timeoutMs, signal);
      return await post(method, { body: JSON.stringify(body), type: "application/json" }, limit.signal, unclearFailure);
    },
    async upload(method, fields, file, signal, unclearFailure = "unavailable") {
      using limit = deadline(MEDIA_TIMEOUT_MS, signal);
      return await post(method, multipartBody(fields as Record<string, unknown>, file), limit.signal, unclearFailure);
    },
    async download(path, signal) {
      const secret = getToken();
      let response: Response;
      try {
        response = await ask(`${base}/file/bot${secret}/${path}`, { signal, redirect: "manual" });
      } catch (error) {
        throw connectionFailure("a download", error, "unavailable");
      }
      if (response.ok && response.body) return response.body;
      await response.body?.cancel();
      throw deliveryFailure("permanent", "refused", { words: `a download: HTTP ${response.status}` });
    },
  };
}

async function parseResponse<Result>(response: Response): Promise<BotResponse<Result>> {
  const text = await response.text();
  try {
    const parsed = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && typeof parsed.ok === "boolean") return parsed;
  } catch (error) {
    // The response is truncated or the page of a proxy, so only the status counts.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return {
    ok: false,
    error_code: response.status < 400 ? 502 : response.status,
    description: `HTTP ${response.status}`,
  };
}

/** Rejections that a retry cannot fix: a part of the platform's text, in lower case, with the key of ours. */
const CONTENT_ERRORS = [
  ["can't parse entities", "formatting"],
  ["message is too long", "too_long"],
  ["message to edit not found", "not_found"],
  ["message can't be edited", "refused"],
] as const;

/** Converts an error of the platform to the class that decides about retries. */
function toDeliveryError(
  method: string,
  { error_code: code, description = "", parameters = {} }: Extract<BotResponse<never>, { ok: false }>,
  unclearFailure: DeliveryFailure,
): DeliveryError {
  const params = { words: `${method}: ${description || `error ${code}`}` };
  const options = { platformCode: String(code) };
  if (code === 429) {
    const seconds = parameters.retry_after;
    return deliveryFailure("throttled", "throttled", params, {
      ...options,
      ...(seconds !== undefined && { retryAfterMs: seconds * 1_000 }),
    });
  }
  if (code === 401 || code === 404) return deliveryFailure("auth", "credentials", params, options);
  if (code >= 500) return deliveryFailure(unclearFailure, "platform_down", params, options);
  if (code === 413) return deliveryFailure("payload", "too_long", params, options);
  const content = CONTENT_ERRORS.find(([part]) => description.toLowerCase().includes(part));
  if (content) return deliveryFailure("payload", content[1], params, options);
  const moved = parameters.migrate_to_chat_id;
  if (moved !== undefined)
    return deliveryFailure("migrated", "moved", params, { ...options, conversationId: String(moved) });
  const text = code === 403 ? "blocked" : /not found/i.test(description) ? "not_found" : "refused";
  return deliveryFailure("permanent", text, params, options);
}

/** True when the platform rejected the call because nothing was left to do: the message has this text, or is deleted already. */
export function isAlreadyDone(error: unknown): boolean {
  return DeliveryError.is(error) && /message is not modified|message to delete not found/i.test(error.message);
}
