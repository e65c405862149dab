import type { Database, LiveEvents, Memory, PersonData, RecordPart } from "@parley/core";
import { resourceChanged } from "@parley/core";
import type { MemoryIndex } from "./memory-index.ts";
import { stored } from "./memory-row.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { MemoryRow, MemoryTables } from "./tables.ts";

const PAGE = 500;

export interface PersonPartDeps {
  readonly database: () => Database;
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly events: LiveEvents;
}

/** What is remembered of a person, or of what they said, also what was replaced since. */
export function personPart({ database, store, index, events }: PersonPartDeps): RecordPart {
  return {
    id: "memory.of-person",
    of: "person",
    tables: [{ table: "memories", isKept: true }],
    async erase(person) {
      const ids = (await memoriesOf(database(), person)).map(({ id }) => id);
      for (let at = 0; at < ids.length; at += PAGE) {
        const some = ids.slice(at, at + PAGE);
        await database().write([...store.removing(some), ...(await index.removing(some))]);
        for (const id of some) events.publish(resourceChanged("memory", id, "deleted"));
      }
      return ids.length;
    },
    async collect(person) {
      const found = await memoriesOf(database(), person);
      return [{ name: "memories.json", bytes: Buffer.from(`${JSON.stringify(found, null, 2)}\n`) }];
    },
  };
}

async function memoriesOf(database: Database, person: PersonData): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  const all = database.tables<MemoryTables>().selectFrom("memories").selectAll();
  for (let after = ""; ; ) {
    const rows = await all.where("id", ">", after).orderBy("id").limit(PAGE).execute();
    const theirs = (rows as readonly MemoryRow[]).filter((row) => person.isNamedIn(JSON.stringify(row)));
    found.push(...theirs.map(stored));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return found;
    after = last.id;
  }
}
