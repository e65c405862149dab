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
    return parseEdited(readFileSync(file), toLevels);
  } catch {
    // A missing file has no levels; an unreadable one is reported where the settings are read.
    return existsSync(file) ? readLastGood(dirname(file), file, toLevels).content : undefined;
  }
}

function toLevels(json: unknown): object | undefined {
  return (json as { readonly log?: { readonly levels?: object } }).log?.levels;
}
