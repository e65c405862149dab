import { readFileSync } from "node:fs";
import { createReadError, type Localized, lastGoodPath, parseEdited, toFileProblem } from "@parley/core";

/** Last valid content of a hand-edited file; absent when none was stored, or with the problem of its copy. */
export interface LastGood<Content> {
  readonly content?: Content;
  readonly problem?: Localized;
}

/** Reads the last valid content of a hand-edited file. */
export function readLastGood<Content>(
  data: string,
  path: string,
  parse: (json: unknown) => Content,
): LastGood<Content> {
  try {
    return { content: parseEdited(readFileSync(lastGoodPath(data, path), "utf8"), parse) };
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return {};
    return { problem: toFileProblem(syscall === undefined ? error : createReadError(error)) };
  }
}
