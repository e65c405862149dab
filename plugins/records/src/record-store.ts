import {
  AppError,
  atMost,
  type ChangeRequest,
  type Clock,
  checkRevision,
  type Database,
  type Files,
  type GivenId,
  type LiveEvents,
  labelOf,
  newId,
  notFound,
  type RecordStore,
  type Resource,
  type ResourceItem,
  resourceChanged,
  type StoredRecords,
  textKey,
} from "@parley/core";
import type { OthersMemories, OthersMemory } from "./others-memories.ts";
import { createRecordPages, filterColumn, type StoredRow } from "./record-pages.ts";
import {
  columnsOf,
  prepareTable,
  type RecordRow,
  type RecordTables,
  type RecordTexts,
  tableOf,
  textTableOf,
} from "./record-table.ts";
import { recordFailure } from "./said-failures.ts";

/** How often a change is made again because another one came first. */
const TRIES = 10;
const PAGE = 500;

export interface RecordStoreParts {
  readonly database: () => Database;
  /** What other processes keep in memory. */
  readonly memories: OthersMemories;
  readonly events: LiveEvents;
  readonly clock: Clock;
  /** Absent: nobody keeps files. */
  readonly files: () => Files | undefined;
  /** The kinds that plugins have declared. */
  readonly kinds: () => readonly Resource[];
}

export interface OwnRecordStore extends RecordStore {
  /** Makes the tables of all kinds. */
  prepare(): Promise<void>;
}

/** The records of all resources that do not keep their own, in the main database. */
export function createRecordStore(parts: RecordStoreParts): OwnRecordStore {
  const known = new Map<string, StoredRecords<object>>();
  return {
    async prepare() {
      for (const one of parts.kinds()) await prepareTable(parts.database(), one);
    },
    of<Fields extends object>(one: Resource<Fields>) {
      if (!known.has(one.kind)) refuseUndeclared(one, parts.kinds());
      const elsewhere = parts.memories.of(one.kind);
      const records = known.get(one.kind) ?? createRecords(one as unknown as Resource, { ...parts, elsewhere });
      known.set(one.kind, records);
      return records as unknown as StoredRecords<Fields>;
    },
  };
}

/** Rows of a kind that nobody knows of before its first use would be left behind when rows are moved. */
function refuseUndeclared({ kind }: { readonly kind: string }, kinds: readonly Resource[]): void {
  if (kinds.some((one) => one.kind === kind)) return;
  throw new AppError("internal", `no plugin has declared the records of '${kind}': call addRecords in its register`);
}

type Item = ResourceItem<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;

interface RecordsParts extends Omit<RecordStoreParts, "memories" | "kinds"> {
  readonly elsewhere: OthersMemory;
}

function createRecords(one: Resource, parts: RecordsParts): StoredRecords<object> {
  const { database, events, clock, files, elsewhere } = parts;
  const table = tableOf(one);
  const texts = textTableOf(one);
  const columns = columnsOf(one);
  const noun = one.kind.replaceAll("_", " ");
  const { defaults } = one;
  const carriers = fileFieldsOf(one);
  /** What a record names is not removed with what nobody used. */
  const keeping = (fields: Fields) => files()?.keeps(carriers.map((name) => String(fields[name] ?? ""))) ?? [];
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
  const textBuilder = () => database().tables<RecordTexts>();
  const itemOf = ({ id, data, revision, created_at, updated_at }: StoredRow): Item => ({
    ...defaults,
    ...JSON.parse(data),
    id,
    created_at: new Date(Number(created_at)).toISOString(),
    updated_at: new Date(Number(updated_at)).toISOString(),
    revision,
  });
  const rowOf = ({ id, created_at, updated_at, revision, ...fields }: Item) => ({
    row: {
      id,
      revision,
      created_at: Date.parse(created_at),
      updated_at: Date.parse(updated_at),
      ...Object.fromEntries(columns.map(({ name, read }) => [name, read(fields)])),
    },
    data: JSON.stringify(fields),
  });
  const find = async (id: string): Promise<Item | undefined> => {
    await tables();
    const [row] = await database().lookup<StoredRow>(pages.whole(builder().selectFrom(table).where("id", "=", id)));
    return row && itemOf(row);
  };
  const get = async (id: string) => {
    const item = await find(id);
    if (!item) throw notFound(noun, id);
    return item;
  };
  const creating = (draft: { readonly id?: string }, given: GivenId = {}) => {
    const at = new Date(clock.now()).toISOString();
    const id = given.id ?? draft.id ?? newId(one.idPrefix, clock.now());
    const item: Item = { ...defaults, ...draft, id, created_at: at, updated_at: at, revision: 1 };
    const { row, data } = rowOf(item);
    const writes = [
      { query: builder().insertInto(table).values(row), expect: 1 },
      { query: textBuilder().insertInto(texts).values({ id, data }), expect: 1 },
      ...(one.most === undefined ? [] : [atMost(table, one.most, one.title.many)]),
      ...keeping(item),
      ...elsewhere.telling(id),
    ];
    return { item, writes };
  };
  const changing = (before: Item, patch: Fields) => {
    refuseFixed(one, before, patch);
    const { id, created_at, revision } = before;
    const updated_at = new Date(clock.now()).toISOString();
    const item: Item = { ...before, ...patch, id, created_at, updated_at, revision: revision + 1 };
    const { row, data } = rowOf(item);
    const { id: _id, created_at: _created, ...values } = row;
    const query = builder().updateTable(table).set(values).where("id", "=", id).where("revision", "=", revision);
    const text = textBuilder().updateTable(texts).set({ data }).where("id", "=", id);
    return {
      item,
      writes: [{ query, expect: 1 }, { query: text, expect: 1 }, ...keeping(patch), ...elsewhere.telling(id)],
    };
  };
  const removing = (id: string) => [
    { query: builder().deleteFrom(table).where("id", "=", id) },
    { query: textBuilder().deleteFrom(texts).where("id", "=", id) },
    ...elsewhere.telling(id),
  ];
  const refuseTaken = async (fields: Fields, except?: string) => {
    const { unique } = one;
    if (unique === undefined || fields[unique] === undefined) return;
    const value = String(fields[unique]);
    const query = (await tables())
      .selectFrom(table)
      .select("id")
      .where(`u_${unique}`, "=", textKey(value) as never);
    const [other] = await database().lookup<RecordRow>(query);
    if (other && other.id !== except) throw recordFailure("conflict", "taken", { value }, { field: unique });
  };
  const publish = (item: Item, action: "created" | "updated" | "deleted", before?: Item) => {
    const readers = one.readersOf?.(item);
    // Who could read it before is told of the change that takes it from them.
    const both = before && readers && !one.readersOf?.(before) ? undefined : readers;
    events.publish(resourceChanged(one, item.id, action, action === "deleted" ? null : item.revision, both));
  };

  return {
    find,
    get,
    async page(asked) {
      await tables();
      const { rows, total, page } = await pages.read(asked);
      return { items: rows.map(itemOf), total, ...page };
    },
    async *all() {
      for (let after = ""; ; ) {
        await tables();
        const wanted = builder().selectFrom(table).where("id", ">", after).orderBy("id").limit(PAGE);
        const rows = await pages.whole(wanted).orderBy("id").execute();

        for (const row of rows) yield itemOf(row);
        const last = rows.at(-1);
        if (!last) return;
        after = last.id;
      }
    },
    async create(draft, request) {
      await tables();
      await refuseTaken(draft as Fields);
      const id = (draft as { readonly id?: string }).id;
      if (id !== undefined && (await find(id)))
        throw recordFailure("conflict", "taken", { value: id }, { field: "id" });
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
        const changed = (typeof patch === "function" ? patch(before) : patch) as Fields;
        await refuseTaken(changed, id);
        const { item, writes } = changing(before, changed);
        try {
          await database().write(writes);
        } catch (error) {
          // Somebody else was first; what they wrote is changed in turn.
          if (!AppError.is(error) || error.code !== "conflict" || tried >= TRIES) throw error;
          continue;
        }
        publish(item, "updated", before);
        return item;
      }
    },
    async remove(id, { ifMatch } = {}) {
      const before = await get(id);
      checkRevision(before, ifMatch);
      const [removed] = await database().write(removing(id));
      if (removed?.changes === 0) throw notFound(noun, id);
      publish(before, "deleted");
    },
    // Who writes them has perhaps never read a record.
    creating: (draft, given) => tables().then(() => creating(draft, given)),
    changing: (before, patch) => tables().then(() => changing(before as Item, patch as Fields)),
    removing: (id) => tables().then(() => removing(id)),
    async removingBy(filter, value) {
      const column = filterColumn(one, filter);
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
        ...elsewhere.telling(),
      ];
    },
    onElsewhere: elsewhere.onElsewhere,
    async countBy(filter, values) {
      if (values.length === 0) return new Map();
      const column = filterColumn(one, filter);
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

function fileFieldsOf({ fields }: Resource): readonly string[] {
  return Object.entries(fields).flatMap(([name, schema]) =>
    /^(picture|file)$/.test(labelOf(schema)?.widget ?? "") ? [name] : [],
  );
}

function refuseFixed({ fixed }: Resource, before: Item, patch: Fields): void {
  const changed = fixed.find(
    (name) => patch[name] !== undefined && JSON.stringify(patch[name]) !== JSON.stringify(before[name]),
  );
  if (changed !== undefined) throw recordFailure("bad_request", "fixed", {}, { field: changed });
}
