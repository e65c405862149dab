import type { RecordPart, StoredRecords } from "@parley/core";
import type { People } from "./people.ts";
import type { PersonLink } from "./schema.ts";

/** Creates the part of a person's data that holds linked addresses; relationships are erased with all rows that name the person. */
export function createPersonLifecycle(stored: () => StoredRecords<PersonLink>, people: () => People): RecordPart {
  const findLinks = async (addresses: ReadonlySet<string>) => {
    const found: (PersonLink & { readonly id: string })[] = [];
    for await (const link of stored().all()) {
      if (addresses.has(link.target_id) || addresses.has(link.same_as)) found.push(link);
    }
    return found;
  };
  return {
    id: "characters.of-person",
    of: "person",
    async erase({ addresses }) {
      const links = await findLinks(new Set(addresses.map(({ address }) => address)));
      for (const { id } of links) await people().removeLink(id);
      return links.length;
    },
    async collect({ addresses }) {
      const links = await findLinks(new Set(addresses.map(({ address }) => address)));
      return [{ name: "links.json", bytes: Buffer.from(`${JSON.stringify(links, null, 2)}\n`) }];
    },
  };
}
