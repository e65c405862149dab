import { basename } from "node:path";
import { type Check, type EditedFile, type JsonFiles, type Probe, toFileFinding } from "@parley/core";

/** Reports files that people edit and that cannot be used. */
export function createFilesCheck(files: () => JsonFiles, edited: () => readonly EditedFile[]): Check {
  return {
    id: "files",
    async run() {
      const pages = new Map(edited().map(({ path, page }) => [path, page]));
      return (files().broken?.() ?? []).map(({ path, problem }) => toFileFinding(path, problem, pages.get(path)));
    },
  };
}

/** Degraded while a file that people edit cannot be used. */
export function createFilesProbe(files: () => JsonFiles): Probe {
  return {
    id: "edited-files",
    async health() {
      const [first] = files().broken?.() ?? [];
      if (!first) return { status: "ok", detail: "" };
      return { status: "degraded", detail: `${basename(first.path)}: ${first.problem.en}` };
    },
  };
}
