import {
  AppError,
  type CachedRecords,
  type ChangeRequest,
  type Clock,
  checkRevision,
  type Database,
  type Files,
  type GivenId,
  type LiveEvents,
  type Logger,
  labelOf,
  limitRows,
  newId,
  notFound,
  type RecordStore,
  type Resolver,
  type Resource,
  type ResourceItem,
  removeRevision,
  resourceChanged,
  type StoredRecords,
  textKey,
} from "@parley/core";
import { type LiteralSecrets, type SealedRecords, sealedRecords } from "@parley/core/secrets";
import { createCachedRecords, type OwnCachedRecords } from "./cached-records.ts";
import type { Documents } from "./documents.ts";
import { createRecordPages, getFilterColumn, type StoredRow } from "./record-pages.ts";
import {
  listColumns,
  prepareTable,
  type RecordDataTables,
  type RecordRow,
  type RecordTables,
  toDataTableName,
  toTableName,
} from "./record-table.ts";
import type { RemoteChanges, RemoteRecordChanges } from "./remote-changes.ts";
import { recordsTexts } from "./texts.ts";

export { createCaches } from "./caches.ts";
export { createDocuments } from "./documents.ts";
export { createSecretBox } from "./secret-box.ts";

/** Maximum retries of a change after a conflict. */
const MAX_CONFLICT_RETRIES = 10;
const PAGE_SIZE = 500;

export interface RecordStoreDeps {
  readonly database: () => Database;
  /** Notifies the caches of other processes. */
  readonly remoteChanges: RemoteChanges;
  readonly events: LiveEvents;
  readonly clock: Clock;
  /** Returns the files; undefined when no plugin stores files. */
  readonly files: () => Files | undefined;
  /** The kinds that plugins have declared. */
  readonly kinds: () => readonly Resource[];
  readonly documents: Documents;
  /** Provides the encryption of secrets. */
  readonly from: Pick<Resolver, "get">;
  readonly log: Logger;
}

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

type RecordItem = ResourceItem<Record<string, unknown>>;
type RecordFields = Readonly<Record<string, unknown>>;

interface RecordsDeps extends Omit<RecordStoreDeps, "remoteChanges" | "kinds" | "documents" | "from" | "log"> {
  readonly remoteChanges: RemoteRecordChanges;
}

function createRecords(one: Resource, deps: RecordsDeps): StoredRecords<object> {
  const { database, events, clock, files, remoteChanges } = deps;
  const table = toTableName(one);
  const texts = toDataTableName(one);
  const columns = listColumns(one);
  const noun = one.kind.replaceAll("_", " ");
  const { defaults } = one;
  const carriers = listFileFields(one);
  /** Returns the writes that mark the files named by a record as used, so that they are not removed. */
  const retainFileWrites = (fields: RecordFields) =>
    files()?.keeps(carriers.map((name) => String(fields[name] ?? ""))) ?? [];
  let isReady: Promise<void> | undefined;
  const tables = async () => {
    isReady ??= prepareTable(database(), one).catch((error) => {
      isReady = undefined;
      throw error;
    });
    await isReady;
    return builder();
  };
  const pages = createRecordPages(one, database);
  const builder = () => database().tables<RecordTables>();
  const textBuilder = () => database().tables<RecordDataTables>();
  const toItem = ({ id, data, revision, created_at, updated_at }: StoredRow): RecordItem => ({
    ...defaults,
    ...JSON.parse(data),
    id,
    created_at: new Date(Number(created_at)).toISOString(),
    updated_at: new Date(Number(updated_at)).toISOString(),
    revision,
  });
  const toRow = ({ id, created_at, updated_at, revision, ...fields }: RecordItem) => ({
    row: {
      id,
      revision,
      created_at: Date.parse(created_at),
      updated_at: Date.parse(updated_at),
      ...Object.fromEntries(columns.map(({ name, read }) => [name, read(fields)])),
    },
    data: JSON.stringify(fields),
  });
  const find = async (id: string): Promise<RecordItem | undefined> => {
    await tables();
    const [row] = await database().lookup<StoredRow>(pages.whole(builder().selectFrom(table).where("id", "=", id)));
    return row && toItem(row);
  };
  const get = async (id: string) => {
    const item = await find(id);
    if (!item) throw notFound(noun, id);
    return item;
  };
  const creating = (draft: { readonly id?: string }, given: GivenId = {}) => {
    const at = new Date(clock.now()).toISOString();
    const id = given.id ?? draft.id ?? newId(one.idPrefix, clock.now());
    const item: RecordItem = { ...defaults, ...draft, id, created_at: at, updated_at: at, revision: 1 };
    const { row, data } = toRow(item);
    const writes = [
      { query: builder().insertInto(table).values(row), expect: 1 },
      { query: textBuilder().insertInto(texts).values({ id, data }), expect: 1 },
      ...(one.most === undefined ? [] : [limitRows(table, one.most, one.title.many)]),
      ...retainFileWrites(item),
      ...remoteChanges.toNotifyWrites(id),
    ];
    return { item, writes };
  };
  const changing = (before: RecordItem, patch: RecordFields) => {
    rejectFixedFields(one, before, patch);
    const { id, created_at, revision } = before;
    const updated_at = new Date(clock.now()).toISOString();
    const item: RecordItem = { ...before, ...patch, id, created_at, updated_at, revision: revision + 1 };
    const { row, data } = toRow(item);
    const { id: _id, created_at: _created, ...values } = row;
    const query = builder().updateTable(table).set(values).where("id", "=", id).where("revision", "=", revision);
    const text = textBuilder().updateTable(texts).set({ data }).where("id", "=", id);
    return {
      item,
      writes: [
        { query, expect: 1 },
        { query: text, expect: 1 },
        ...retainFileWrites(patch),
        ...remoteChanges.toNotifyWrites(id),
      ],
    };
  };
  const removing = (id: string, ifMatch?: number) => [
    removeRevision(builder().deleteFrom(table).where("id", "=", id), ifMatch),
    { query: textBuilder().deleteFrom(texts).where("id", "=", id) },
    ...remoteChanges.toNotifyWrites(id),
  ];
  const rejectTaken = async (fields: RecordFields, except?: string) => {
    const { unique } = one;
    if (unique === undefined || fields[unique] === undefined) return;
    const value = String(fields[unique]);
    const query = (await tables())
      .selectFrom(table)
      .select("id")
      .where(`u_${unique}`, "=", textKey(value) as never);
    const [other] = await database().lookup<RecordRow>(query);
    if (other && other.id !== except) throw recordsTexts.error("conflict", "taken", { value }, { field: unique });
  };
  const publish = (item: RecordItem, action: "created" | "updated" | "deleted", before?: RecordItem) => {
    const readers = one.readersOf?.(item);
    // Readers who lose access are notified of the change too.
    const both = before && readers && !one.readersOf?.(before) ? undefined : readers;
    events.publish(resourceChanged(one, item.id, action, action === "deleted" ? null : item.revision, both));
  };

  return {
    find,
    get,
    async page(asked) {
      await tables();
      const { rows, total, page } = await pages.read(asked);
      return { items: rows.map(toItem), total, ...page };
    },
    async *all() {
      for (let after = ""; ; ) {
        await tables();
        const wanted = builder().selectFrom(table).where("id", ">", after).orderBy("id").limit(PAGE_SIZE);
        const rows = await pages.whole(wanted).orderBy("id").execute();

        for (const row of rows) yield toItem(row);
        const last = rows.at(-1);
        if (!last) return;
        after = last.id;
      }
    },
    async create(draft, request) {
      await tables();
      await rejectTaken(draft as RecordFields);
      const id = (draft as { readonly id?: string }).id;
      if (id !== undefined && (await find(id)))
        throw recordsTexts.error("conflict", "taken", { value: id }, { field: "id" });
      await tables();
      const { item, writes } = creating(draft, request);
      await database().write(writes);
      publish(item, "created");
      return item;
    },
    async change(id, patch, { ifMatch }: Partial<ChangeRequest> = {}) {
      for (let tried = 1; ; tried += 1) {
        const before = await get(id);
        checkRevision(before, ifMatch);
        const changed = (typeof patch === "function" ? patch(before) : patch) as RecordFields;
        await rejectTaken(changed, id);
        const { item, writes } = changing(before, changed);
        try {
          await database().write(writes);
        } catch (error) {
          // A concurrent write was first; the change is applied to its result.
          if (!AppError.is(error) || error.code !== "conflict" || tried >= MAX_CONFLICT_RETRIES) throw error;
          continue;
        }
        publish(item, "updated", before);
        return item;
      }
    },
    async remove(id, { ifMatch } = {}) {
      const before = await get(id);
      checkRevision(before, ifMatch);
      const [removed] = await database().write(removing(id, ifMatch));
      if (removed?.changes === 0) throw notFound(noun, id);
      publish(before, "deleted");
    },
    // The caller may never have read a record.
    creating: (draft, given) => tables().then(() => creating(draft, given)),
    changing: (before, patch) => tables().then(() => changing(before as RecordItem, patch as RecordFields)),
    removing: (id, ifMatch) => tables().then(() => removing(id, ifMatch)),
    async removingBy(filter, value) {
      const column = getFilterColumn(one, filter);
      const theirs = (await tables())
        .selectFrom(table)
        .select("id")
        .where(column, "=", value as never);
      return [
        { query: textBuilder().deleteFrom(texts).where("id", "in", theirs) },
        {
          query: builder()
            .deleteFrom(table)
            .where(column, "=", value as never),
        },
        ...remoteChanges.toNotifyWrites(),
      ];
    },
    onElsewhere: remoteChanges.onElsewhere,
    async countBy(filter, values) {
      if (values.length === 0) return new Map();
      const column = getFilterColumn(one, filter);
      const rows = await (await tables())
        .selectFrom(table)
        .select((each) => [`${column} as value`, each.fn.countAll<number>().as("count")])
        .where(column, "in", values as never)
        .groupBy(column)
        .execute();
      return new Map(rows.map((row) => [String(row.value), Number(row.count)]));
    },
  };
}

function listFileFields({ fields }: Resource): readonly string[] {
  return Object.entries(fields).flatMap(([name, schema]) =>
    /^(picture|file)$/.test(labelOf(schema)?.widget ?? "") ? [name] : [],
  );
}

function rejectFixedFields({ fixed }: Resource, before: RecordItem, patch: RecordFields): void {
  const changed = fixed.find(
    (name) => patch[name] !== undefined && JSON.stringify(patch[name]) !== JSON.stringify(before[name]),
  );
  if (changed !== undefined) throw recordsTexts.error("bad_request", "fixed", {}, { field: changed });
}
