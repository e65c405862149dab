import { localizeMessage, toLocalized } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import type { Localized } from "../localized.ts";
import type { Finding } from "../points/operations/check.ts";
import { decodeUtf8, stripByteOrderMark } from "../text/decode-text.ts";
import { coreTexts } from "../texts.ts";
import { findFieldLine } from "./field-line.ts";
import { createJsonSyntaxError } from "./json-syntax-error.ts";

/** Creates the error of a hand-edited file that cannot be read. */
export function createReadError(cause: unknown): AppError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const keys = { EISDIR: "file_is_folder", EACCES: "file_forbidden", EPERM: "file_forbidden" } as const;
  const key = keys[code as keyof typeof keys];
  if (key) return coreTexts.error("bad_request", key, {}, { cause });
  return coreTexts.error("bad_request", "file_unread", { reason: message }, { cause });
}

/** Returns the text of a hand-edited file in UTF-8, or in the encoding of its byte order mark; throws `bad_request` for another one. */
export function decodeEdited(bytes: Uint8Array): string {
  try {
    return decodeUtf8(stripByteOrderMark(bytes));
  } catch (cause) {
    throw coreTexts.error("bad_request", "no_utf8", {}, { cause });
  }
}

/** Parses the text or the bytes of a hand-edited file; throws `bad_request` with the problem and its line, for invalid JSON and where `parse` names a field. */
export function parseEdited<Content>(edited: string | Uint8Array, parse: (json: unknown) => Content): Content {
  const text = typeof edited === "string" ? edited : decodeEdited(edited);
  const plain = text.replace(/^\uFEFF/, "");
  let json: unknown;
  try {
    json = JSON.parse(plain);
  } catch {
    if (plain.trim() === "") throw coreTexts.error("bad_request", "file_empty", {});
    throw createJsonSyntaxError(plain);
  }
  try {
    return parse(json);
  } catch (error) {
    throw AppError.is(error) ? withLine(error, plain) : error;
  }
}

/** Adds the line of the field that an error names. */
function withLine(error: AppError, json: string): AppError {
  const { field, params } = error.detail ?? {};
  const named = field ?? params?.field;
  if (typeof named !== "string") return error;
  const line = findFieldLine(json, named);
  return coreTexts.error(error.code, "file_line", { line, problem: toLocalized(error) }, { cause: error });
}

/** Returns the localized reason a hand-edited file cannot be used. */
export function toFileProblem(error: unknown): Localized {
  return AppError.is(error) ? toLocalized(error) : localizeMessage((error as Error).message);
}

/** Returns the finding for operators about a broken file. */
export function toFileFinding(path: string, problem: Localized, page?: string): Finding {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return {
    key: "files.broken",
    level: "warning",
    said: coreTexts.localized("file_unusable", { file, problem }),
    advice: coreTexts.localized("file_repair", { path }),
    parameters: { file: path, reason: problem.en },
    ...(page !== undefined && { page }),
  };
}
