import { createHash } from "node:crypto";
import { AppError, type Collection, type Secrets, type SecretsOf } from "@parley/core";
import type { Entry } from "../servers/entry.ts";

/** Encrypted record of a server, bound to its address. */
export interface SealedRecord {
  /** Id of the server. */
  readonly id: string;
  readonly destination: string;
  readonly sealed: string;
  /** Holder of the lease for replacing the value. */
  readonly taken?: string;
}

type Owner = Pick<Entry, "id" | "url">;

/** One encrypted value per server. A value stored for another address counts as missing. */
export interface SealedRecords<Value> {
  get(server: Owner): Promise<Value | undefined>;
  put(server: Owner, value: Value): Promise<void>;
  /** Deletes the record; of concurrent callers only one gets true. */
  remove(id: string): Promise<boolean>;
  /**
   * Claims a matching value for `by` unless another caller has the lease; returns the holder, undefined when nothing
   * matches. Atomic across processes. A lease of `overdue` is taken over.
   */
  take(server: Owner, by: string, fits: (value: Value) => boolean, overdue?: string): Promise<string | undefined>;
  /** Releases the lease and stores the value, if given; false when another caller has the lease by now. */
  give(server: Owner, by: string, value?: Value): Promise<boolean>;
}

export interface SealedRecordsDeps {
  readonly stored: Collection<SealedRecord>;
  readonly secrets: () => Secrets;
  /** Kind of the record; one kind cannot be decrypted as another. */
  readonly kind: string;
}

export function createSealedRecords<Value>(
  { stored, secrets, kind }: SealedRecordsDeps,
  listSecrets: SecretsOf<Value>,
): SealedRecords<Value> {
  const ownSecrets = ({ id, url }: Owner) => secrets().of(`mcp-${kind}:${id}`, toDestinationDigest(url));
  const unseal = (server: Owner, found: SealedRecord | undefined): Value | undefined => {
    if (!found || found.destination !== toDestinationDigest(server.url)) return undefined;
    return ownSecrets(server).openValue(found.sealed, listSecrets);
  };
  const seal = (server: Owner, value: Value): SealedRecord => ({
    id: server.id,
    destination: toDestinationDigest(server.url),
    sealed: ownSecrets(server).sealValue(value, listSecrets),
  });
  /** Changes the stored record and returns it; undefined when there is none. */
  const updateIfStored = async (id: string, change: (found: SealedRecord) => SealedRecord) => {
    try {
      return await stored.update(id, change);
    } catch (error) {
      if (AppError.is(error) && error.code === "not_found") return undefined;
      throw error;
    }
  };
  return {
    get: async (server) => unseal(server, await stored.get(server.id)),
    put: (server, value) => stored.put(seal(server, value)),
    remove: (id) => stored.remove(id),
    async take(server, by, fits, overdue) {
      let has: string | undefined;
      await updateIfStored(server.id, (found) => {
        const value = unseal(server, found);
        const isFree = found.taken === undefined || found.taken === overdue;
        has = value !== undefined && fits(value) ? (isFree ? by : found.taken) : undefined;
        return has === by ? { ...found, taken: by } : found;
      });
      return has;
    },
    async give(server, by, value) {
      let isOurs = false;
      await updateIfStored(server.id, (found) => {
        isOurs = found.taken === by;
        if (!isOurs) return found;
        const { taken: _, ...free } = found;
        return value === undefined ? free : seal(server, value);
      });
      return isOurs;
    },
  };
}

/** Returns a digest of the address that does not reveal it. */
export function toDestinationDigest(url: string): string {
  return createHash("sha256").update(url).digest("base64url");
}
