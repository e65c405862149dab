import type { Memory } from "@parley/core";
import { type MemoryFields, memories } from "../schema.ts";
import { memoryTexts } from "../texts.ts";
import { toContentKey } from "./memory-row.ts";

const MAX_TAGS = 32;

/** Sorts memories by the time they were said; throws `bad_request` unless all are current and of one person and character. */
export function sortMergeable(found: readonly Memory[]): readonly Memory[] {
  const first = found[0];
  const isOne = found.every(
    ({ target_id, character_id, replaced_by }) =>
      target_id === first?.target_id && character_id === first.character_id && replaced_by === null,
  );
  if (!isOne) throw memoryTexts.error("bad_request", "not_one", {}, { field: "ids" });
  return found.toSorted((a, b) => (a.said_at < b.said_at ? -1 : 1));
}

/** Merges sorted memories: given or newest title, given content or each content once, tags up to the limit, highest importance, `long` if any is, no summary; the rest is the newest's. */
export function mergeFields(
  ordered: readonly Memory[],
  { title, content }: { readonly title?: string | undefined; readonly content?: string | undefined },
): MemoryFields & Pick<Memory, "fact"> {
  const newest = ordered.at(-1) as Memory;
  const contents = new Map(ordered.map((each) => [toContentKey(each.content), each.content]));
  const tags = new Map(ordered.flatMap((each) => each.tags).map((tag) => [tag.toLowerCase(), tag]));
  return {
    ...pickFields(newest),
    title: title ?? newest.title,
    content: content ?? [...contents.values()].join("\n"),
    summary: "",
    importance: Math.max(...ordered.map(({ importance }) => importance)),
    tags: [...tags.values()].slice(0, MAX_TAGS),
    type: ordered.some(({ type }) => type === "long") ? "long" : "short",
    source: "manual",
    fact: newest.fact,
  };
}

function pickFields(memory: Memory): MemoryFields {
  return Object.fromEntries(
    Object.keys(memories.fields).map((name) => [name, memory[name as keyof Memory]]),
  ) as unknown as MemoryFields;
}
