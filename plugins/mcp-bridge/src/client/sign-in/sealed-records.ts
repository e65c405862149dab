import { createHash } from "node:crypto";
import type { Collection, Redaction, SecretBox } from "@parley/core";
import type { Entry } from "../entry.ts";

/** Of a server: encrypted, and bound to its address. */
export interface SealedRecord {
  /** The server's. */
  readonly id: string;
  readonly destination: string;
  readonly sealed: string;
}

type Owner = Pick<Entry, "id" | "url">;

/** One secret value for each server. What was kept for another address is not there. */
export interface SealedRecords<Value> {
  get(server: Owner): Promise<Value | undefined>;
  put(server: Owner, value: Value): Promise<void>;
  /** Whether it was there; of those who ask at once one is told so. */
  remove(id: string): Promise<boolean>;
}

export interface SealedRecordsParts {
  readonly kept: Collection<SealedRecord>;
  readonly box: () => SecretBox;
  readonly redaction: Redaction;
  /** Sets one kind apart from another: a record cannot be opened as one of another kind. */
  readonly kind: string;
}

export function createSealedRecords<Value>(
  { kept, box, redaction, kind }: SealedRecordsParts,
  secretsOf: (value: Value) => readonly (string | undefined)[],
): SealedRecords<Value> {
  const ownerOf = ({ id, url }: Owner) => `mcp-${kind}:${id}:${destinationOf(url)}`;
  const remember = (value: Value) => {
    for (const secret of secretsOf(value)) if (secret !== undefined) redaction.remember(secret);
  };
  return {
    async get(server) {
      const found = await kept.get(server.id);
      if (!found || found.destination !== destinationOf(server.url)) return undefined;
      const value = JSON.parse(box().open(found.sealed, ownerOf(server))) as Value;
      remember(value);
      return value;
    },
    async put(server, value) {
      remember(value);
      const sealed = box().seal(JSON.stringify(value), ownerOf(server));
      await kept.put({ id: server.id, destination: destinationOf(server.url), sealed });
    },
    remove: (id) => kept.remove(id),
  };
}

/** The address, where nobody can read it. */
export function destinationOf(url: string): string {
  return createHash("sha256").update(url).digest("base64url");
}
