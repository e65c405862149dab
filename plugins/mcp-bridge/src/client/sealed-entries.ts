import type { Collection, Logger, Redaction, SecretBox } from "@parley/core";
import type { Entry } from "./entry.ts";
import { maskedEntry, openedEntry, secretsInEntry } from "./entry-secrets.ts";

/** An entry as it is stored: masked, what is secret in it beside it, encrypted. */
export type StoredEntry = Entry & { readonly sealed?: string };

export interface SealedEntriesParts {
  readonly stored: Collection<StoredEntry>;
  readonly box: () => SecretBox;
  readonly redaction: Redaction;
  readonly log: Logger;
}

export interface SealedEntries extends Pick<Collection<Entry>, "put" | "list" | "remove" | "onElsewhere" | "alone"> {
  /** Seals what an earlier version stored in clear. */
  sealAll(): Promise<void>;
}

/** The entries with their secrets, which are stored for each entry alone. */
export function createSealedEntries({ stored, box, redaction, log }: SealedEntriesParts): SealedEntries {
  const ownerOf = (id: string) => `mcp-entry:${id}`;
  const remember = (entry: Entry): Entry => {
    for (const secret of Object.values(secretsInEntry(entry))) redaction.remember(secret);
    return entry;
  };
  const opened = ({ sealed, ...entry }: StoredEntry): Entry => {
    if (sealed === undefined) return remember(entry);
    try {
      return remember(openedEntry(entry, JSON.parse(box().open(sealed, ownerOf(entry.id)))));
    } catch (error) {
      // It is there, masked, until somebody types them in anew.
      log.warn("the secrets of a server cannot be opened", { server: entry.id, error });
      return entry;
    }
  };
  const sealed = (entry: Entry): StoredEntry => {
    const secrets = secretsInEntry(remember(entry));
    if (Object.keys(secrets).length === 0) return entry;
    return { ...maskedEntry(entry), sealed: box().seal(JSON.stringify(secrets), ownerOf(entry.id)) };
  };
  const { alone } = stored;
  return {
    put: (entry) => stored.put(sealed(entry)),
    list: async () => (await stored.list()).map(opened),
    remove: stored.remove,
    onElsewhere: (heard) => stored.onElsewhere((id, entry) => heard(id, entry && opened(entry))),
    ...(alone && { alone: (work) => alone((all) => work(all.map(opened))) }),
    async sealAll() {
      for (const entry of await stored.list())
        if (entry.sealed === undefined && Object.keys(secretsInEntry(entry)).length > 0)
          await stored.put(sealed(entry));
    },
  };
}
