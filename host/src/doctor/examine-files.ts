import { lstatSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { brokenFile, type EditedFile, editedProblem, parseEdited, unreadFile } from "@parley/core";
import { type Finding, ok, same, told } from "./finding.ts";

/** Reports files that people edit and that cannot be used. */
export function examineFiles(files: readonly EditedFile[]): readonly Finding[] {
  return files.flatMap(({ path, parse }) => {
    if (!lstatSync(path, { throwIfNoEntry: false })) return [];
    try {
      parseEdited(textOf(path), parse);
      return [ok("files", same(basename(path)))];
    } catch (error) {
      return [told(brokenFile(path, editedProblem(error)))];
    }
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unreadFile(error);
  }
}
