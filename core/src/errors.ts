import type { Localized } from "./localized.ts";

/** Error codes that callers can act on, with their HTTP status. MCP uses the same codes. */
export const HTTP_STATUS = {
  bad_request: 400,
  confirmation_required: 400,
  unauthorized: 401,
  permission_denied: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
  timed_out: 504,
} as const;

/** Machine-readable error code; `HTTP_STATUS` maps each to its status. */
export type ErrorCode = keyof typeof HTTP_STATUS;

/** Localization key, parameters and field of an error. */
export interface ErrorDetail {
  /** Key of `ERROR_TEXTS`, joi's error type, or a plugin's own key: `dice.too_many`. */
  readonly key: string;
  /** The field of the request: `config.webhook_url`. */
  readonly field?: string;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** Parameters that are texts themselves, in each language; `params` has them in English. */
  readonly texts?: Readonly<Record<string, Localized>>;
  /** Chinese template of a key that no catalogue has; `{name}` stands for a parameter. */
  readonly chinese?: string;
  /** Further problems of the request, in the order of its fields. */
  readonly others?: readonly FieldProblem[];
}

/** A problem with one field of a request. */
export interface FieldProblem extends Omit<ErrorDetail, "others"> {
  /** The problem as an English sentence, without the field's name. */
  readonly error: string;
}

/** An error stored or shown apart from its request, such as with a message or at the end of a turn. */
export interface LocalizedError {
  readonly code: string;
  readonly error: string;
  /** Localized detail; absent when the message exists in English only. */
  readonly detail?: Omit<ErrorDetail, "others">;
}

/** Options of an error besides its code and message. */
export interface AppErrorOptions extends ErrorOptions {
  /** Sent in the header `X-Parley-Error`. */
  readonly detail?: ErrorDetail;
  /** Whole seconds until a retry can succeed; becomes `Retry-After`. */
  readonly retryAfterS?: number;
  /** Trace id in the gateway log; becomes `X-Trace-Id`. */
  readonly traceId?: string;
  /** True when a retry fails until the setup or the request is changed. */
  readonly isLasting?: boolean;
}

/** An error with one of the codes of `HTTP_STATUS` and a message that is safe to show. */
export class AppError extends Error {
  override readonly name: string = "AppError";
  readonly code: ErrorCode;
  readonly retryAfterS: number | undefined;
  readonly traceId: string | undefined;
  readonly detail: ErrorDetail | undefined;
  readonly isLasting?: boolean;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterS = options.retryAfterS;
    this.traceId = options.traceId;
    this.detail = options.detail;
    if (options.isLasting) this.isLasting = true;
  }

  // By shape, not instanceof: a third-party package may carry its own copy of core.
  static is(error: unknown): error is AppError {
    return error instanceof Error && "code" in error && (error.code as string) in HTTP_STATUS && "retryAfterS" in error;
  }
}

/** Keys of errors that end by themselves: the database is busy or full, or the disk has no room for a file. */
const BUSY_STORAGE_KEYS: ReadonlySet<string> = new Set(["storage_busy", "files.disk_full"]);

/** Returns true when the error or its cause is a temporarily busy storage; a later retry may succeed. */
export function isStorageBusy(error: unknown): boolean {
  if (!AppError.is(error)) return false;
  return BUSY_STORAGE_KEYS.has(error.detail?.key ?? "") || isStorageBusy(error.cause);
}

/** Returns true when no model is configured for the purpose; a retry changes nothing. */
export function isWithoutModel(error: unknown): error is AppError {
  return AppError.is(error) && error.code === "unavailable" && error.detail?.key === "models.none";
}

/** Reason a platform call failed; decides whether and how it is retried. */
export type DeliveryFailure =
  /** No data left this process. */
  | "not_sent"
  /** The platform asks to wait. */
  | "throttled"
  /** The platform failed; a retry is safe in this adapter's idempotency mode. */
  | "unavailable"
  /** The platform may have received it. */
  | "ambiguous"
  | "auth"
  /** The platform rejects this form of the content. */
  | "payload"
  | "permanent"
  /** The conversation has another id now: `conversationId`. */
  | "migrated"
  /** The channel only receives and has no way to send. */
  | "no_sender"
  | "window_closed";

/** Error that an adapter's `send` throws. Any other error counts as `ambiguous`. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly failure: DeliveryFailure;
  readonly retryAfterMs: number | undefined;
  /** The platform's own code, as it wrote it. */
  readonly platformCode: string | undefined;
  /** The conversation's new id; only with `migrated`. */
  readonly conversationId: string | undefined;
  /** Localized detail; absent when the message exists in English only. */
  readonly detail?: LocalizedError["detail"];

  constructor(
    failure: DeliveryFailure,
    message: string,
    options: ErrorOptions & {
      readonly retryAfterMs?: number;
      readonly platformCode?: string;
      readonly conversationId?: string;
      readonly detail?: LocalizedError["detail"];
    } = {},
  ) {
    super(message, options);
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs;
    this.platformCode = options.platformCode;
    this.conversationId = options.conversationId;
    if (options.detail) this.detail = options.detail;
  }

  static is(error: unknown): error is DeliveryError {
    return error instanceof Error && error.name === "DeliveryError" && "failure" in error;
  }
}
