import type { PromptSource, PromptText, Turn } from "@parley/core";
import type { InsertionPlace } from "./activation/card-terms.ts";
import { NOTE, PROMPT_KEY } from "./turn-stages.ts";

/** Prompt sources of the activated entries, one for each position in the prompt. */
export const PROMPT_SOURCES: readonly PromptSource[] = [
  createSource("world-books.before-character", 25, "system", (place) => place === "before_char"),
  createSource("world-books.after-character", 35, "system", (place) => place === "after_char"),
  createSource("world-books.lore", 65, "system", (place) => place === "lore"),
  createSource("world-books.before-message", 65, "before-user", (place) => typeof place === "number" && place > 0),
  createSource("world-books.after-message", 65, "after-history", (place) => place === 0),
];

function createSource(
  id: string,
  priority: number,
  place: PromptSource["place"],
  isPlacedHere: (position: InsertionPlace) => boolean,
): PromptSource {
  return {
    id,
    key: PROMPT_KEY,
    priority,
    place,
    // In a replay the books are not available.
    isExternal: true,
    concerns: (turn) => (NOTE.of(turn)?.injections ?? []).some(({ position }) => isPlacedHere(position)),
    async collect(turn: Turn) {
      const injections = (NOTE.of(turn)?.injections ?? []).filter(({ position }) => isPlacedHere(position));
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
