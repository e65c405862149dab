import { toSchemaError } from "@parley/core";
import { isObject } from "@parley/core/json";
import { type DocumentDraft, type DocumentFields, documentDraft, MAX_CONTENT } from "../schema.ts";
import { knowledgeTexts } from "../texts.ts";

const PREVIEW_CHARS = 200;

/** Returns the labels by which a search filters documents. */
export function toLabels({ tags, base_id }: Pick<DocumentFields, "tags" | "base_id">): readonly string[] {
  return [`base:${base_id}`, ...tags.map(toTagLabel)];
}

export const toTagLabel = (tag: string): string => `tag:${tag.toLowerCase()}`;

/** Returns the initial state of a document before indexing. */
export function toInitialState({ content }: Pick<DocumentFields, "content">) {
  const start = content.slice(0, PREVIEW_CHARS * 2);
  return {
    preview: [...start].slice(0, PREVIEW_CHARS).join("").toWellFormed(),
    size: countCharacters(content),
    chunk_count: 0,
    indexed: false,
    index_status: "pending" as const,
    index_error: null,
    index_error_detail: null,
    index_model: null,
  };
}

export function checkSize(content: string): void {
  if (content.length <= MAX_CONTENT || countCharacters(content) <= MAX_CONTENT) return;
  throw knowledgeTexts.error("too_large", "large", { most: MAX_CONTENT }, { field: "content" });
}

/** Counts code points without creating an array of them, which may be a million. */
function countCharacters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) pairs += 1;
  return text.length - pairs;
}

export function parseDraft(given: unknown, baseId: string | undefined): DocumentDraft {
  const whole = isObject(given) ? { ...(baseId !== undefined && { base_id: baseId }), ...given } : given;
  const { value, error } = documentDraft.validate(whole, { errors: { label: "path", wrap: { label: false } } });
  if (error) throw toSchemaError(error);
  return value;
}

export function readTitle(given: unknown): string {
  const { title, name } = Object(given) as { readonly title?: unknown; readonly name?: unknown };
  return typeof title === "string" ? title : typeof name === "string" ? name : "";
}
