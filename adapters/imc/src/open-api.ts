import { type DeliveryError, type DeliveryFailure, deadline, deliveryFailure, type PlatformText } from "@parley/core";
import { connectionFailure, type MultipartFile, multipartBody } from "@parley/core/channels";

const TIMEOUT_MS = 15_000;
const MEDIA_TIMEOUT_MS = 60_000;
/** Time before the expiry of a token from which the platform issues a new one. */
const REFRESH_BEFORE_MS = 30 * 60_000;
const TOKEN_REJECTED_CODES = new Set([99_991_661, 99_991_663, 99_991_664, 99_991_668]);
const THROTTLED_CODES = new Set([99_991_400, 230_020, 11_232]);
const PERMANENT_CODES = new Set([230_002, 230_006, 230_011, 230_013, 230_027, 230_045]);
/** The bot is not in the chat, or the person may not use it. */
const NOT_A_MEMBER_CODES = new Set([230_002, 230_013]);
const CONTENT_REJECTED_CODES = new Set([230_001, 230_022, 230_025]);
const TOO_LONG_CODE = 230_025;

export interface OpenApiOptions {
  /** Address of the platform, such as `https://open.feishu.cn`, without a slash at the end. */
  readonly domain: string;
  /** Returns the credentials for each call; undefined when none are configured. */
  readonly credentials: () => { readonly appId: string; readonly appSecret: string } | undefined;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

interface ApiResponse {
  readonly code: number;
  readonly msg?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly tenant_access_token?: string;
  readonly expire?: number;
  readonly bot?: Readonly<Record<string, unknown>>;
}

/** Calls the API of the platform with an access token. Throws `DeliveryError`. */
export interface OpenApi {
  call(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<ApiResponse>;
  /** Sends a POST with a file. */
  upload(path: string, fields: object, file: MultipartFile, signal: AbortSignal): Promise<ApiResponse>;
  /** Sends a GET and returns the content of the response. */
  download(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

interface RequestBody {
  readonly bytes: string | Uint8Array;
  readonly type: string;
}

function toJsonBody(value: object): RequestBody {
  return { bytes: JSON.stringify(value), type: "application/json; charset=utf-8" };
}

export function createOpenApi({ domain, credentials, fetch: ask, now }: OpenApiOptions): OpenApi {
  let token: { readonly value: string; readonly untilMs: number; readonly of: string } | undefined;
  let asking: Promise<string> | undefined;

  const request = async (
    method: string,
    path: string,
    body: RequestBody | undefined,
    bearer: string | undefined,
    signal: AbortSignal,
    timeoutMs = TIMEOUT_MS,
  ) => {
    using limit = deadline(timeoutMs, signal);
    let response: Response;
    let text: string;
    try {
      response = await ask(`${domain}/open-apis${path}`, {
        method,
        headers: {
          "content-type": body?.type ?? "application/json; charset=utf-8",
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        ...(body && { body: body.bytes as NonNullable<RequestInit["body"]> }),
        redirect: "manual",
        signal: limit.signal,
      });
      text = await response.text();
    } catch (error) {
      // A retry has the same uuid.
      throw connectionFailure(path, error, "unavailable");
    }
    return { response, answer: parseResponse(text, response.status) };
  };
  const refreshToken = async (signal: AbortSignal): Promise<string> => {
    const known = credentials();
    if (!known) throw deliveryFailure("auth", "app_not_set", {});
    const { appId, appSecret } = known;
    const { response, answer } = await request(
      "POST",
      "/auth/v3/tenant_access_token/internal",
      toJsonBody({ app_id: appId, app_secret: appSecret }),
      undefined,
      signal,
    );
    if (answer.code !== 0 || !answer.tenant_access_token) {
      throw response.status >= 500
        ? deliveryFailure("unavailable", "no_token_now", {})
        : deliveryFailure("auth", "credentials", { words: `no access token: ${answer.msg ?? answer.code}` });
    }
    token = {
      value: answer.tenant_access_token,
      untilMs: now() + (answer.expire ?? 0) * 1_000,
      of: `${appId}\n${appSecret}`,
    };
    return token.value;
  };
  /** Returns the cached token unless it is `rejectedToken`, expires soon or belongs to other credentials; else requests one, once for concurrent calls. */
  const getToken = async (signal: AbortSignal, rejectedToken?: string): Promise<string> => {
    const known = credentials();
    const isOurs = known && token?.of === `${known.appId}\n${known.appSecret}`;
    if (token && isOurs && token.value !== rejectedToken && token.untilMs - now() > REFRESH_BEFORE_MS)
      return token.value;
    asking ??= refreshToken(signal).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const callWithToken = async (
    method: string,
    path: string,
    body: RequestBody | undefined,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<ApiResponse> => {
    let rejectedToken: string | undefined;
    for (;;) {
      const bearer = await getToken(signal, rejectedToken);
      const { response, answer } = await request(method, path, body, bearer, signal, timeoutMs);
      if (answer.code === 0) return answer;
      if (rejectedToken !== undefined || !TOKEN_REJECTED_CODES.has(answer.code))
        throw toDeliveryError(path, response, answer);
      rejectedToken = bearer;
    }
  };
  return {
    call: (method, path, body, signal) => callWithToken(method, path, body && toJsonBody(body), signal, TIMEOUT_MS),
    upload(path, fields, file, signal) {
      const { body: bytes, type } = multipartBody(fields as Record<string, unknown>, file);
      return callWithToken("POST", path, { bytes, type }, signal, MEDIA_TIMEOUT_MS);
    },
    async download(path, signal) {
      let rejectedToken: string | undefined;
      for (;;) {
        const bearer = await getToken(signal, rejectedToken);
        const response = await ask(`${domain}/open-apis${path}`, {
          headers: { authorization: `Bearer ${bearer}` },
          redirect: "manual",
          signal,
        }).catch((error: unknown) => {
          throw connectionFailure("a download", error, "unavailable");
        });
        if (response.ok && response.body) return response.body;
        const answer = parseResponse(await response.text(), response.status);
        if (rejectedToken !== undefined || !TOKEN_REJECTED_CODES.has(answer.code))
          throw toDeliveryError("a download", response, answer);
        rejectedToken = bearer;
      }
    },
  };
}

function parseResponse(text: string, status: number): ApiResponse {
  try {
    const parsed = JSON.parse(text);
    if (typeof parsed?.code === "number") return parsed;
  } catch (error) {
    // The response is truncated or the page of a proxy, so only the status counts.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { code: status < 400 ? 502 : status };
}

/** Converts an error; its status may be 200 or 400, so the code decides. */
function toDeliveryError(path: string, { status, headers }: Response, { code, msg }: ApiResponse): DeliveryError {
  const params = { words: `${path}: ${msg ?? "refused"} (${code})` };
  const options = { platformCode: String(code) };
  if (status === 429 || THROTTLED_CODES.has(code)) {
    const seconds = Number(headers.get("x-ogw-ratelimit-reset"));
    return deliveryFailure("throttled", "throttled", params, {
      ...options,
      retryAfterMs: seconds > 0 ? seconds * 1_000 : 1_000,
    });
  }
  const known: readonly (readonly [boolean, DeliveryFailure, PlatformText])[] = [
    [TOKEN_REJECTED_CODES.has(code) || status === 401, "auth", "credentials"],
    [NOT_A_MEMBER_CODES.has(code), "permanent", "blocked"],
    [PERMANENT_CODES.has(code), "permanent", "refused"],
    [code === TOO_LONG_CODE, "payload", "too_long"],
    [CONTENT_REJECTED_CODES.has(code), "payload", "formatting"],
    [status >= 500, "unavailable", "platform_down"],
  ];
  const [, failure, text] = known.find(([is]) => is) ?? [true, "permanent", "refused"];
  return deliveryFailure(failure, text, params, options);
}
