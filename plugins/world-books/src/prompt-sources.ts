import type { Localized, PromptSource, PromptText, Turn } from "@parley/core";
import type { InsertionPlace } from "./activation/card-terms.ts";
import { worldBooksTexts } from "./texts.ts";
import { type Injection, NOTE, PROMPT_KEY } from "./turn-stages.ts";

const BEFORE = worldBooksTexts.localized("part_before_character");
const AFTER = worldBooksTexts.localized("part_after_character");
const LORE = worldBooksTexts.localized("part_lore");

/**
 * Prompt sources of the activated entries, one for each position in the prompt. Entries that every message activates
 * are part of the persona; others stand before the last message, so that the beginning of the prompt stays the same.
 */
export const PROMPT_SOURCES: readonly PromptSource[] = [
  createSource(BEFORE, "world-books.before-character", 25, "system", isConstantAt("before_char")),
  createSource(AFTER, "world-books.after-character", 35, "system", isConstantAt("after_char")),
  createSource(LORE, "world-books.lore", 65, "system", isConstantAt("lore")),
  createSource(BEFORE, "world-books.recalled-before-character", 25, "before-user", isRecalledAt("before_char")),
  createSource(AFTER, "world-books.recalled-after-character", 35, "before-user", isRecalledAt("after_char")),
  createSource(LORE, "world-books.recalled-lore", 65, "before-user", isRecalledAt("lore")),
  createSource(
    LORE,
    "world-books.before-message",
    65,
    "before-user",
    ({ position }) => typeof position === "number" && position > 0,
  ),
  createSource(LORE, "world-books.after-message", 65, "after-history", ({ position }) => position === 0),
];

type IsPlacedHere = (injection: Injection) => boolean;

function isConstantAt(place: InsertionPlace): IsPlacedHere {
  return ({ position, isConstant }) => position === place && isConstant;
}

function isRecalledAt(place: InsertionPlace): IsPlacedHere {
  return ({ position, isConstant }) => position === place && !isConstant;
}

function createSource(
  title: Localized,
  id: string,
  priority: number,
  place: PromptSource["place"],
  isPlacedHere: IsPlacedHere,
): PromptSource {
  return {
    id,
    key: PROMPT_KEY,
    title,
    priority,
    place,
    // In a replay the books are not available.
    isExternal: true,
    concerns: (turn) => (NOTE.of(turn)?.injections ?? []).some(isPlacedHere),
    async collect(turn: Turn) {
      const injections = (NOTE.of(turn)?.injections ?? []).filter(isPlacedHere);
      const groups = Map.groupBy(injections, ({ position, role }) => `${position} ${role}`);
      return [...groups.values()].map((group): PromptText => {
        const [{ position = 0, role = "system" } = {}] = group;
        const text = group.map((one) => one.text).join("\n\n");
        if (typeof position !== "number" || position === 0) return { text, isData: true };
        return role === "assistant"
          ? { text, isData: false, depth: position, saidBy: role }
          : { text, isData: true, depth: position };
      });
    },
  };
}
