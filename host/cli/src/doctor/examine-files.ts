import { lstatSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { createReadError, type EditedFile, parseEdited, toFileFinding, toFileProblem } from "@parley/core";
import { type Finding, fromPluginFinding, toOk, untranslated } from "@parley/host/tooling";

/** Reports files that people edit and that cannot be used. */
export function examineFiles(files: readonly EditedFile[]): readonly Finding[] {
  return files.flatMap(({ path, parse }) => {
    if (!lstatSync(path, { throwIfNoEntry: false })) return [];
    try {
      parseEdited(readBytes(path), parse);
      return [toOk("files", untranslated(basename(path)))];
    } catch (error) {
      return [fromPluginFinding(toFileFinding(path, toFileProblem(error)))];
    }
  });
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw createReadError(error);
  }
}
