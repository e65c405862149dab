import type { Memory, TextIndex, TextSpace, Write } from "@parley/core";
import type { Audience } from "./memory-store.ts";

/** A longer memory is cut into passages. */
const ONE_PASSAGE = 500;
const MAX_EARLIER = 5;

/** The memories in force, as they are found: a space of the index of texts. */
export interface MemoryIndex {
  /** `earlier`: what it took the place of; it is found by that too. */
  putting(memory: Memory, earlier?: readonly Memory[]): Promise<readonly Write[]>;
  removing(ids: readonly string[]): Promise<readonly Write[]>;
  /** Ids of those that fit a text, the best first, with a score from 0 to 1. */
  search(text: string, audience: Audience, limit: number): Promise<ReadonlyMap<string, number>>;
}

export function createMemoryIndex(index: () => TextIndex): MemoryIndex {
  const space = (): TextSpace => index().space("memories");
  return {
    async putting(memory, earlier = []) {
      const { id, title, content, said_at } = memory;
      const before = earlier.slice(0, MAX_EARLIER).map((one) => one.content);
      const texts =
        content.length <= ONE_PASSAGE ? [content] : (await index().passages(content)).map(({ text }) => text);
      const entries = [...texts, ...before].map((text, place) => ({
        id: `${id}:${place}`,
        place,
        title,
        text,
        time: Date.parse(said_at),
        labels: labelsOf(memory),
      }));
      return space().replacing(id, entries);
    },
    removing: async (ids) => (ids.length === 0 ? [] : space().removing(ids)),
    async search(text, { addresses, characterId, groupId }, limit) {
      const hits = await space().search({
        text,
        limit,
        perGroup: 1,
        labels: [
          ["person:", ...addresses.map((address) => `person:${address}`)],
          ["character:", ...(characterId === null ? [] : [`character:${characterId}`])],
          ...(groupId === undefined ? [] : [["person:", `session:${groupId}`]]),
        ],
      });
      return new Map(hits.map(({ group, score }) => [group, score]));
    },
  };
}

function labelsOf({ target_id, character_id, session_id }: Memory): readonly string[] {
  return [`person:${target_id ?? ""}`, `character:${character_id ?? ""}`, `session:${session_id ?? ""}`];
}
