import type { Upkeep } from "@parley/core";
import { memoryTexts } from "../texts.ts";
import type { MemoriesDeps } from "./memories.ts";

/** Creates the upkeep that deletes expired memories, which are not recalled any more. */
export function createExpiryUpkeep({ store, index, database, clock }: MemoriesDeps): Upkeep {
  return {
    name: "memory.prune",
    title: { en: "Remove expired memories", zh: "清理过期的记忆" },
    everyMs: 3_600_000,
    async run({ log }) {
      let count = 0;
      for (let ids = await store.listExpired(clock.now()); ids.length > 0; ids = await store.listExpired(clock.now())) {
        await database().write([...(await index.deleteWrites(ids)), ...store.deleteWrites(ids)]);
        count += ids.length;
      }
      log(memoryTexts.message("expired_removed", { count }));
    },
  };
}
