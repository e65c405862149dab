import { inBothLanguages, saidOf } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import type { Localized } from "../localized.ts";
import type { Finding } from "../points/operations/check.ts";
import { coreFailure } from "../said-failures.ts";
import { jsonRefusal } from "./json-syntax-error.ts";

/** Creates the error of a hand-edited file that cannot be read. */
export function unreadFile(cause: unknown): AppError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const keys = { EISDIR: "file_is_folder", EACCES: "file_forbidden", EPERM: "file_forbidden" } as const;
  const key = keys[code as keyof typeof keys];
  if (key) return coreFailure("bad_request", key, {}, { cause });
  return coreFailure("bad_request", "file_unread", { reason: message }, { cause });
}

/** Parses the text of a hand-edited file; throws `bad_request` with the problem and its line for invalid JSON, else what `parse` throws. */
export function parseEdited<Content>(text: string, parse: (json: unknown) => Content): Content {
  const plain = text.replace(/^\uFEFF/, "");
  let json: unknown;
  try {
    json = JSON.parse(plain);
  } catch {
    if (plain.trim() === "") throw coreFailure("bad_request", "file_empty", {});
    throw jsonRefusal(plain);
  }
  return parse(json);
}

/** Returns the localized reason a hand-edited file cannot be used. */
export function editedProblem(error: unknown): Localized {
  return AppError.is(error) ? saidOf(error) : inBothLanguages((error as Error).message);
}

/** Returns the finding for operators about a broken file. */
export function brokenFile(path: string, { en, zh }: Localized, page?: string): Finding {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return {
    key: "files.broken",
    level: "warning",
    said: { en: `${file} cannot be used: ${en}`, zh: `${file} 无法使用：${zh}` },
    advice: {
      en: `repair ${path}: until then its last good content is used, if any`,
      zh: `请修复 ${path}：在此之前沿用上次有效的内容（如有）`,
    },
    parameters: { file: path, reason: en },
    ...(page !== undefined && { page }),
  };
}
