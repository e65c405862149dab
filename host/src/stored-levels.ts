import { readFileSync } from "node:fs";
import { LOG_LEVELS, type LogThreshold } from "@parley/core";

/** Levels of single plugins as data/settings.json has them, for what is written before the settings are there. */
export function storedLevels(file: string): Readonly<Record<string, LogThreshold>> {
  const levels = Object.entries(writtenLevels(file) ?? {});
  return Object.fromEntries(levels.filter((entry): entry is [string, LogThreshold] => isLevel(entry[1])));
}

function isLevel(value: unknown): boolean {
  return LOG_LEVELS.some((level) => level === value);
}

function writtenLevels(file: string): object | undefined {
  try {
    const { log } = JSON.parse(readFileSync(file, "utf8")) as { readonly log?: { readonly levels?: object } };
    return log?.levels;
  } catch {
    // A file that is not there has none, and whoever reads the settings tells of one that cannot be read.
    return undefined;
  }
}
