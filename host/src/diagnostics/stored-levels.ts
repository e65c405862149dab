import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { LOG_LEVELS, type LogThreshold, parseEdited } from "@parley/core";
import { readLastGood } from "../last-good.ts";

/** Reads plugin log levels from data/settings.json, for lines logged before the settings are available. */
export function readStoredLevels(file: string): Readonly<Record<string, LogThreshold>> {
  const levels = Object.entries(readLevels(file) ?? {});
  return Object.fromEntries(levels.filter((entry): entry is [string, LogThreshold] => isLevel(entry[1])));
}

function isLevel(value: unknown): boolean {
  return LOG_LEVELS.some((level) => level === value);
}

function readLevels(file: string): object | undefined {
  try {
    return levelsIn(readFileSync(file, "utf8"));
  } catch {
    // A missing file has no levels, and an unreadable one is reported where the settings are read.
    const good = existsSync(file) ? readLastGood(dirname(file), file) : undefined;
    return good === undefined ? undefined : levelsIn(good);
  }
}

function levelsIn(text: string): object | undefined {
  return parseEdited(text, (json) => (json as { readonly log?: { readonly levels?: object } }).log?.levels);
}
