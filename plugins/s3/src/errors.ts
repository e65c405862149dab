import { AppError } from "@parley/core";
import { s3Texts } from "./texts.ts";
import { getElementText } from "./xml.ts";

const MAX_MESSAGE_CHARS = 500;
const RETRY_AFTER_S = 5;
/** Error codes for content that differs from its declared checksum or length. */
const CONTENT_MISMATCH_CODES = new Set(["BadDigest", "XAmzContentSHA256Mismatch", "InvalidDigest", "IncompleteBody"]);

/** An error response of the server. */
export class BucketError extends Error {
  override readonly name: string = "BucketError";
  readonly status: number;
  /** Code such as `NoSuchBucket`; empty if there is none, as in responses to HEAD. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`${status} ${code}${message && `: ${message}`}`.trim());
    this.status = status;
    this.code = code;
  }
}

export async function toBucketError(answer: Response): Promise<BucketError> {
  const text = await answer.text();
  return new BucketError(
    answer.status,
    getElementText(text, "Code") ?? "",
    (getElementText(text, "Message") ?? "").slice(0, MAX_MESSAGE_CHARS),
  );
}

/** Converts a failed request to an error of ours; the server's own message is its cause. */
export function toAppError(error: unknown): unknown {
  if (error instanceof Error && error.name === "AbortError") return error;
  if (error instanceof BucketError && CONTENT_MISMATCH_CODES.has(error.code)) {
    return s3Texts.error("conflict", "other_content", {}, { cause: error });
  }
  if (AppError.is(error) && error.code === "unavailable") return error;
  return s3Texts.error("unavailable", "unwell", {}, { cause: error, retryAfterS: RETRY_AFTER_S });
}

export function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
