import { deliveryFailure } from "../delivery-texts.ts";
import { AppError } from "../errors.ts";
import type { Files, OpenFile } from "../services/storage/files.ts";

/** Opens the stored file of a reply's attachment; `permanent` when it is gone, since a retry would not help. */
export async function openForSending(files: Pick<Files, "open">, url: string): Promise<OpenFile> {
  try {
    return await files.open(url);
  } catch (cause) {
    const isGone = AppError.is(cause) && (cause.code === "not_found" || cause.code === "bad_request");
    throw deliveryFailure(isGone ? "permanent" : "not_sent", "file_unread", {}, { cause });
  }
}
