import { type DeliveryFailure, deadline, deliveryFailure, type PlatformText } from "@parley/core";
import { connectionFailure } from "@parley/core/channels";

const TIMEOUT_MS = 15_000;
/** The platform issues a new token only in the last minute of the old one. */
const REFRESH_BEFORE_MS = 55_000;
const AUTH_CODES = new Set([11_241, 11_242, 11_243, 11_244]);
const THROTTLED_CODES = new Set([22_009, 20_028]);
const WINDOW_CLOSED_CODES = new Set([304_026, 304_027]);
const UNDER_REVIEW_CODES = new Set([304_023, 304_024]);
const RETRYABLE_CODES = new Set([304_082, 304_083]);
/** Codes for a message whose number (`msg_seq`) was used before: the platform already has it. */
const DUPLICATE_CODES = new Set([40_054_005, 304_025]);

export interface BotApiDeps {
  readonly tokenUrl: string;
  readonly api: string;
  readonly credentials: () => { readonly appId: string; readonly secret: string } | undefined;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

export interface BotApi {
  token(signal: AbortSignal): Promise<string>;
  /** Calls the API; throws `DeliveryError`. Returns `{}` for a message that the platform already has or reviews. */
  call(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
}

export function createBotApi({ tokenUrl, api, credentials, fetch: ask, now }: BotApiDeps): BotApi {
  let known: { readonly value: string; readonly untilMs: number; readonly secret: string } | undefined;
  let asking: Promise<string> | undefined;
  const send = async (
    url: string,
    method: string,
    body: object | undefined,
    token: string | undefined,
    signal: AbortSignal,
  ) => {
    using limit = deadline(TIMEOUT_MS, signal);
    try {
      const response = await ask(url, {
        method,
        headers: { "content-type": "application/json", ...(token && { authorization: `QQBot ${token}` }) },
        ...(body && { body: JSON.stringify(body) }),
        redirect: "manual",
        signal: limit.signal,
      });
      return { status: response.status, answer: parseObject(await response.text()) };
    } catch (error) {
      // May be sent again: a retry has the same `msg_seq`, by which the platform detects the duplicate.
      throw connectionFailure(new URL(url).pathname, error, "unavailable");
    }
  };
  const refreshToken = async (signal: AbortSignal): Promise<string> => {
    const given = credentials();
    if (!given) throw deliveryFailure("auth", "app_not_set", {});
    const { status, answer } = await send(
      tokenUrl,
      "POST",
      { appId: given.appId, clientSecret: given.secret },
      undefined,
      signal,
    );
    const value = answer.access_token;
    if (typeof value !== "string" || value === "") {
      throw status >= 500
        ? deliveryFailure("unavailable", "no_token_now", {})
        : deliveryFailure("auth", "credentials", { words: `no access token (${answer.code ?? status})` });
    }
    // The platform sends the number as a string.
    known = { value, untilMs: now() + Number(answer.expires_in) * 1_000, secret: given.secret };
    return value;
  };
  /** Returns the cached token unless it is `rejected`, expires soon or belongs to other credentials; else requests one, once for concurrent calls. */
  const token = async (signal: AbortSignal, rejected?: string): Promise<string> => {
    const isCurrent = known?.secret === credentials()?.secret;
    if (known && isCurrent && known.value !== rejected && known.untilMs - now() > REFRESH_BEFORE_MS) return known.value;
    asking ??= refreshToken(signal).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    token,
    async call(method, path, body, signal) {
      let rejected: string | undefined;
      for (;;) {
        const bearer = await token(signal, rejected);
        const { status, answer } = await send(`${api}${path}`, method, body, bearer, signal);
        const code = Number(answer.code ?? 0);
        if (DUPLICATE_CODES.has(code) || UNDER_REVIEW_CODES.has(code)) return {};
        if (status < 300 && code === 0) return answer;
        const failure = classifyFailure(status, code);
        if (failure === "auth" && rejected === undefined) {
          rejected = bearer;
          continue;
        }
        const words = `${path.split("/").at(-1)}: ${String(answer.message ?? "refused")} (${code || status})`;
        throw deliveryFailure(
          failure,
          TEXT_KEY_BY_FAILURE[failure] ?? "refused",
          { words },
          {
            platformCode: String(code || status),
            ...(failure === "throttled" && { retryAfterMs: 2_000 }),
          },
        );
      }
    },
  };
}

const TEXT_KEY_BY_FAILURE: Readonly<Partial<Record<DeliveryFailure, PlatformText>>> = {
  auth: "credentials",
  throttled: "throttled",
  payload: "formatting",
  unavailable: "platform_down",
};

function classifyFailure(status: number, code: number): DeliveryFailure {
  if (status === 401 || AUTH_CODES.has(code)) return "auth";
  if (status === 429 || THROTTLED_CODES.has(code)) return "throttled";
  if (WINDOW_CLOSED_CODES.has(code)) return "window_closed";
  if (code === 304_003) return "payload";
  return status >= 500 || RETRYABLE_CODES.has(code) ? "unavailable" : "permanent";
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) return parsed;
  } catch (error) {
    // The response is the page of a proxy, so only the status counts.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return {};
}
