import { AppError } from "@parley/core";
import { bucketFailure } from "./said-failures.ts";
import { textIn } from "./xml.ts";

const MAX_SAID = 500;
const ASK_AGAIN_S = 5;
/** What was sent is not what was announced. */
const OTHER_CONTENT = new Set(["BadDigest", "XAmzContentSHA256Mismatch", "InvalidDigest", "IncompleteBody"]);

/** An answer of the server that is none of what was asked for. */
export class Refused extends Error {
  override readonly name: string = "Refused";
  readonly status: number;
  /** `NoSuchBucket`; "" where it says nothing, as answers to HEAD do. */
  readonly code: string;

  constructor(status: number, code: string, said: string) {
    super(`${status} ${code}${said && `: ${said}`}`.trim());
    this.status = status;
    this.code = code;
  }
}

export async function refused(answer: Response): Promise<Refused> {
  const text = await answer.text();
  return new Refused(answer.status, textIn(text, "Code") ?? "", (textIn(text, "Message") ?? "").slice(0, MAX_SAID));
}

/** A failed request as a failure of ours; the server's own words stay in the cause. */
export function known(error: unknown): unknown {
  if (error instanceof Error && error.name === "AbortError") return error;
  if (error instanceof Refused && OTHER_CONTENT.has(error.code)) {
    return bucketFailure("conflict", "other_content", {}, { cause: error });
  }
  if (AppError.is(error) && error.code === "unavailable") return error;
  return bucketFailure("unavailable", "unwell", {}, { cause: error, retryAfterS: ASK_AGAIN_S });
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
