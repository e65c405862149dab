import { parseJson } from "./json-text.ts";

/** A JSON text that is not valid yet. */
export interface JsonDraft {
  readonly unfinishedJson: string;
}

export function isJsonDraft(value: unknown): value is JsonDraft {
  return typeof value === "object" && value !== null && "unfinishedJson" in value;
}

/** Parses a JSON text; returns undefined for an empty one and a draft for an invalid one. */
export function parseJsonDraft(text: string): unknown {
  const parsed = parseJson(text);
  return parsed ? parsed.value : ({ unfinishedJson: text } satisfies JsonDraft);
}

export function formatJsonDraft(value: unknown): string {
  if (isJsonDraft(value)) return value.unfinishedJson;
  return value === undefined || value === null ? "" : JSON.stringify(value, undefined, 2);
}

/** Returns the dotted paths of all incomplete JSON texts within form values. */
export function findJsonDrafts(values: object, path = ""): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (isJsonDraft(value)) return [`${path}${key}`];
    return typeof value === "object" && value !== null ? findJsonDrafts(value, `${path}${key}.`) : [];
  });
}
