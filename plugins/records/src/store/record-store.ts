import { AppError, type CachedRecords, type RecordStore, type Resource, type StoredRecords } from "@parley/core";
import { type LiteralSecrets, type SealedRecords, sealedRecords } from "@parley/core/secrets";
import { createCachedRecords, type OwnCachedRecords } from "./cached-records.ts";
import { prepareTable } from "./record-table.ts";
import { createRecords } from "./records-of-kind.ts";
import type { RecordStoreDeps } from "./records-state.ts";

export { createCaches } from "../caches/caches.ts";
export { createDocuments } from "../documents.ts";
export { createSecretBox } from "../secret-box.ts";

export interface OwnRecordStore extends RecordStore {
  prepare(): Promise<void>;
  /** Encrypts secrets that an earlier version stored in clear. */
  sealAll(): Promise<void>;
  /** Stops following changes of other processes. */
  end(): void;
}

/** Creates the store for the records of all resources without a separate storage, in the main database. */
export function createRecordStore(deps: RecordStoreDeps): OwnRecordStore {
  const known = new Map<string, StoredRecords<object>>();
  const cached = new Map<string, OwnCachedRecords>();
  const sealed = new Map<string, SealedRecords<object>>();
  const make = (one: Resource): StoredRecords<object> => {
    rejectUndeclared(one, deps.kinds());
    const records = createRecords(one, { ...deps, remoteChanges: deps.remoteChanges.forKind(one.kind) });
    const { secrets, kind: owner } = one;
    if (!secrets) return records;
    const sealing = { secrets: secrets as LiteralSecrets<object>, owner, from: deps.from, log: deps.log };
    const opened = sealedRecords<object>(one, () => records, sealing);
    sealed.set(one.kind, opened);
    return opened;
  };
  const of = <Fields extends object>(one: Resource<Fields>) => {
    const records = known.get(one.kind) ?? make(one as unknown as Resource);
    known.set(one.kind, records);
    return records as unknown as StoredRecords<Fields>;
  };
  return {
    of,
    cached<Fields extends object>(one: Resource<Fields>) {
      if (!one.cached) throw new AppError("internal", `the records of '${one.kind}' are not declared as cached`);
      const found =
        cached.get(one.kind) ??
        createCachedRecords(one as unknown as Resource, of(one) as unknown as StoredRecords<object>);
      cached.set(one.kind, found);
      return found as unknown as CachedRecords<Fields>;
    },
    documents: deps.documents.of,
    putTogether: deps.documents.putKinds,
    async prepare() {
      for (const one of deps.kinds()) await prepareTable(deps.database(), one);
      await deps.documents.prepare();
    },
    async sealAll() {
      for (const one of deps.kinds()) {
        of(one);
        const count = (await sealed.get(one.kind)?.sealAll()) ?? 0;
        if (count > 0) await cached.get(one.kind)?.reload();
      }
      await deps.documents.sealAll();
    },
    end() {
      for (const one of cached.values()) one.end();
    },
  };
}

/** Throws for an undeclared kind, because a migration between databases would miss its rows. */
function rejectUndeclared({ kind }: { readonly kind: string }, kinds: readonly Resource[]): void {
  if (kinds.some((one) => one.kind === kind)) return;
  throw new AppError("internal", `no plugin has declared the records of '${kind}': call addRecords in its register`);
}
