import type { Database, LiveEvents, Memory, PersonData, RecordPart } from "@parley/core";
import { resourceChanged } from "@parley/core";
import type { MemoryIndex } from "../store/memory-index.ts";
import { fromMemoryRow } from "../store/memory-row.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import type { MemoryRow, MemoryTables } from "../store/tables.ts";

const BATCH_SIZE = 500;

export interface PersonLifecycleDeps {
  readonly database: () => Database;
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly events: LiveEvents;
}

/** Erases and exports memories about a person or from that person's messages, including replaced ones. */
export function createPersonLifecycle({ database, store, index, events }: PersonLifecycleDeps): RecordPart {
  return {
    id: "memory.of-person",
    of: "person",
    tables: [{ table: "memories", isKept: true }],
    async erase(person) {
      const ids = (await findMemories(database(), person)).map(({ id }) => id);
      for (let at = 0; at < ids.length; at += BATCH_SIZE) {
        const some = ids.slice(at, at + BATCH_SIZE);
        await database().write([...store.deleteWrites(some), ...(await index.deleteWrites(some))]);
        for (const id of some) events.publish(resourceChanged("memory", id, "deleted"));
      }
      return ids.length;
    },
    async collect(person) {
      const found = await findMemories(database(), person);
      return [{ name: "memories.json", bytes: Buffer.from(`${JSON.stringify(found, null, 2)}\n`) }];
    },
  };
}

async function findMemories(database: Database, person: PersonData): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  const all = database.tables<MemoryTables>().selectFrom("memories").selectAll();
  for (let after = ""; ; ) {
    const rows = await all.where("id", ">", after).orderBy("id").limit(BATCH_SIZE).execute();
    const personRows = (rows as readonly MemoryRow[]).filter((row) => person.isNamedIn(JSON.stringify(row)));
    found.push(...personRows.map(fromMemoryRow));
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return found;
    after = last.id;
  }
}
