/** An incomplete JSON text. */
export interface JsonDraft {
  readonly unfinishedJson: string;
}

export function isJsonDraft(value: unknown): value is JsonDraft {
  return typeof value === "object" && value !== null && "unfinishedJson" in value;
}

export function parseJsonDraft(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { unfinishedJson: text } satisfies JsonDraft;
  }
}

export function formatJsonDraft(value: unknown): string {
  return isJsonDraft(value) ? value.unfinishedJson : JSON.stringify(value ?? null, undefined, 2);
}
