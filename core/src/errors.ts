/** Every failure a caller can act on, and the HTTP status it becomes. The same codes go out over MCP. */
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

/** Why something failed, for programs; `HTTP_STATUS` gives each its status. */
export type ErrorCode = keyof typeof HTTP_STATUS;

/** What a failure says to those who show it in another language, or at the field it is about. */
export interface ErrorDetail {
  /** Of `ERROR_TEXTS`, joi's word for what is wrong with a field, or a plugin's own: `dice.too_many`. */
  readonly key: string;
  /** The field of the request: `config.webhook_url`. */
  readonly field?: string;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** The sentence in Chinese, where its key says it to nobody but a plugin; `{name}` stands for a parameter. */
  readonly chinese?: string;
  /** What else is wrong with the request, in the order of its fields. */
  readonly others?: readonly FieldProblem[];
}

/** What is wrong with one field of a request. */
export interface FieldProblem extends Omit<ErrorDetail, "others"> {
  /** The sentence of it, without the field. */
  readonly error: string;
}

/** A failure that is told apart from the request it came of: with a message, at the end of a turn. */
export interface ToldFailure {
  readonly code: string;
  readonly error: string;
  /** For those who read it in another language; absent: it is known in English alone. */
  readonly detail?: Pick<ErrorDetail, "key" | "params" | "chinese">;
}

/** What a failure says besides its code and its sentence. */
export interface AppErrorOptions extends ErrorOptions {
  /** Sent in the header `X-Parley-Error`. */
  readonly detail?: ErrorDetail;
  /** Whole seconds until a repeat can succeed; becomes `Retry-After`. */
  readonly retryAfterS?: number;
  /** What it is noted under in the log of the gateway; becomes `X-Trace-Id`. */
  readonly traceId?: string;
  /** Another try changes nothing until somebody changes the setup or the request. */
  readonly isLasting?: boolean;
}

/** A failure with a code of the closed set and a sentence that is safe to show. */
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

/** Keys of failures that pass by themselves: the database is busy or full, or has no room for a file. */
const BUSY_STORAGE_KEYS: ReadonlySet<string> = new Set(["storage_busy", "files.disk_full"]);

/** Tells whether something failed because the storage can take or give nothing at the moment: it may succeed later. */
export function isStorageBusy(error: unknown): boolean {
  if (!AppError.is(error)) return false;
  return BUSY_STORAGE_KEYS.has(error.detail?.key ?? "") || isStorageBusy(error.cause);
}

/** Tells whether something failed because no model is set up for its purpose: another try changes nothing. */
export function isWithoutModel(error: unknown): error is AppError {
  return AppError.is(error) && error.code === "unavailable" && error.detail?.key === "models.none";
}

/** Why a platform call did not succeed; decides whether and how it is repeated. */
export type DeliveryFailure =
  /** Nothing left this process. */
  | "not_sent"
  /** The platform asks to wait. */
  | "throttled"
  /** The platform failed, and a repeat is safe in this adapter's mode. */
  | "unavailable"
  /** The platform may have it. */
  | "ambiguous"
  | "auth"
  /** The platform refuses this form of the content. */
  | "payload"
  | "permanent"
  /** The conversation has another id now: `conversationId`. */
  | "migrated"
  /** There is nothing to send with: the channel only listens. */
  | "no_sender"
  | "window_closed";

/** What an adapter throws from `send`. An error of another kind counts as `ambiguous`. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly failure: DeliveryFailure;
  readonly retryAfterMs: number | undefined;
  /** The platform's own code, as it wrote it. */
  readonly platformCode: string | undefined;
  /** Where the conversation is now; only with `migrated`. */
  readonly conversationId: string | undefined;
  /** What it takes to say it in another language; absent: it is known in English alone. */
  readonly detail?: ToldFailure["detail"];

  constructor(
    failure: DeliveryFailure,
    message: string,
    options: ErrorOptions & {
      readonly retryAfterMs?: number;
      readonly platformCode?: string;
      readonly conversationId?: string;
      readonly detail?: ToldFailure["detail"];
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
