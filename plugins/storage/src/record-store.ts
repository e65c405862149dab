import {
  AppError,
  type ChangeRequest,
  type Clock,
  checkRevision,
  clampPage,
  contains,
  type Database,
  type GivenId,
  isTextField,
  type LiveEvents,
  newId,
  notFound,
  orderOf,
  type RecordStore,
  type Resource,
  type ResourceItem,
  type ResourceQuery,
  resourceChanged,
  type StoredRecords,
  textKey,
} from "@parley/core";
import type { SelectQueryBuilder } from "kysely";
import { columnsOf, plainOf, prepareTable, type RecordRow, type RecordTables, tableOf } from "./record-table.ts";

/** How often a change is made again because another one came first. */
const TRIES = 10;
const PAGE = 500;

export interface RecordStoreParts {
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** The records of all resources that do not keep their own, in the main database. */
export function createRecordStore(parts: RecordStoreParts): RecordStore {
  const known = new Map<string, StoredRecords<object>>();
  return {
    of<Fields extends object>(one: Resource<Fields>) {
      const records = known.get(one.kind) ?? createRecords(one as unknown as Resource, parts);
      known.set(one.kind, records);
      return records as unknown as StoredRecords<Fields>;
    },
  };
}

type Item = ResourceItem<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;

function createRecords(one: Resource, { database, events, clock }: RecordStoreParts): StoredRecords<object> {
  const table = tableOf(one);
  const columns = columnsOf(one);
  const noun = one.kind.replaceAll("_", " ");
  const { defaults } = one;
  let isReady: Promise<void> | undefined;
  const tables = async () => {
    isReady ??= prepareTable(database(), one);
    await isReady;
    return builder();
  };
  const builder = () => database().tables<RecordTables>();
  const itemOf = ({ id, data, revision, created_at, updated_at }: RecordRow): Item => ({
    ...defaults,
    ...JSON.parse(data),
    id,
    created_at: new Date(Number(created_at)).toISOString(),
    updated_at: new Date(Number(updated_at)).toISOString(),
    revision,
  });
  const rowOf = ({ id, created_at, updated_at, revision, ...fields }: Item): RecordRow => ({
    id,
    revision,
    created_at: Date.parse(created_at),
    updated_at: Date.parse(updated_at),
    data: JSON.stringify(fields),
    ...Object.fromEntries(columns.map(({ name, read }) => [name, read(fields)])),
  });
  const find = async (id: string): Promise<Item | undefined> => {
    await tables();
    const [row] = await database().lookup<RecordRow>(builder().selectFrom(table).selectAll().where("id", "=", id));
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
    return { item, writes: [{ query: builder().insertInto(table).values(rowOf(item)), expect: 1 }] };
  };
  const changing = (before: Item, patch: Fields) => {
    refuseFixed(one, before, patch);
    const { id, created_at, revision } = before;
    const updated_at = new Date(clock.now()).toISOString();
    const item: Item = { ...before, ...patch, id, created_at, updated_at, revision: revision + 1 };
    const { id: _id, created_at: _created, ...values } = rowOf(item);
    const query = builder().updateTable(table).set(values).where("id", "=", id).where("revision", "=", revision);
    return { item, writes: [{ query, expect: 1 }] };
  };
  const removing = (id: string) => [{ query: builder().deleteFrom(table).where("id", "=", id) }];
  const refuseTaken = async (fields: Fields, except?: string) => {
    const { unique } = one;
    if (unique === undefined || fields[unique] === undefined) return;
    const value = String(fields[unique]);
    const query = (await tables())
      .selectFrom(table)
      .select("id")
      .where(`u_${unique}`, "=", textKey(value) as never);
    const [other] = await database().lookup<RecordRow>(query);
    if (other && other.id !== except) throw new AppError("conflict", `${unique}: '${value}' is taken`);
  };
  const count = async (narrow: Narrow = (query) => query) => {
    const query = narrow((await tables()).selectFrom(table));
    const [row] = await query.select((each) => each.fn.countAll<number>().as("count")).execute();
    return Number((row as { readonly count?: number } | undefined)?.count ?? 0);
  };
  const tell = (item: Item, action: "created" | "updated") =>
    events.publish(resourceChanged(one.kind, item.id, action, item.revision));

  return {
    find,
    get,
    async page(asked) {
      const page = clampPage(asked);
      const narrow = narrowBy(one, asked);
      const query = ordered(narrow((await tables()).selectFrom(table)), one, asked.sort);
      const rows = await query.selectAll().limit(page.limit).offset(page.offset).execute();
      return { items: rows.map((row) => itemOf(row as unknown as RecordRow)), total: await count(narrow), ...page };
    },
    async *all() {
      for (let after = ""; ; ) {
        const query = (await tables()).selectFrom(table).selectAll().where("id", ">", after).orderBy("id").limit(PAGE);
        const rows = (await query.execute()) as unknown as readonly RecordRow[];
        for (const row of rows) yield itemOf(row);
        const last = rows.at(-1);
        if (!last) return;
        after = last.id;
      }
    },
    async create(draft, request) {
      if (one.most !== undefined && (await count()) >= one.most) {
        throw new AppError("conflict", `there are ${one.most} ${one.title.many.en} already`);
      }
      await refuseTaken(draft as Fields);
      const id = (draft as { readonly id?: string }).id;
      if (id !== undefined && (await find(id))) throw new AppError("conflict", `id: '${id}' is taken`);
      await tables();
      const { item, writes } = creating(draft, request);
      await database().write(writes);
      tell(item, "created");
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
        tell(item, "updated");
        return item;
      }
    },
    async remove(id, { ifMatch } = {}) {
      checkRevision(await get(id), ifMatch);
      const [removed] = await database().write(removing(id));
      if (removed?.changes === 0) throw notFound(noun, id);
      events.publish(resourceChanged(one.kind, id, "deleted"));
    },
    // Who writes them has perhaps never read a record.
    creating: (draft, given) => tables().then(() => creating(draft, given)),
    changing: (before, patch) => tables().then(() => changing(before as Item, patch as Fields)),
    removing: (id) => tables().then(() => removing(id)),
    async removingBy(filter, value) {
      const query = (await tables()).deleteFrom(table).where(filterColumn(one, filter), "=", value as never);
      return [{ query }];
    },
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

type Select = SelectQueryBuilder<RecordTables, string, object>;
type Narrow = (query: Select) => Select;

/** Only the records that a list asks for. */
function narrowBy({ filters, search, fields }: Resource, asked: ResourceQuery): Narrow {
  const isList = (name: string) => (fields as Record<string, { readonly type?: string }>)[name]?.type === "array";
  return (query) => {
    let narrowed = query;
    for (const name of filters) {
      const value = asked[name];
      if (value === undefined) continue;
      narrowed = isList(name)
        ? narrowed.where(contains(`f_${name}`, JSON.stringify(value)))
        : narrowed.where(`f_${name}`, "=", plainOf(value) as never);
    }
    const { q = "" } = asked;
    if (q === "") return narrowed;
    return narrowed.where(({ or }) => or(search.map((name) => contains(`f_${name}`, q))));
  };
}

function filterColumn({ kind, filters }: Resource, name: string): string {
  if (!filters.includes(name)) throw new AppError("internal", `${kind} has no filter '${name}'`);
  return `f_${name}`;
}

function ordered(query: Select, one: Resource, asked = one.sort[0] as string): Select {
  const { name, turned } = orderOf(asked);
  const way = turned ? "desc" : "asc";
  const column = name in one.fields ? `${isTextField(one, name) ? "s" : "f"}_${name}` : name;
  return query.orderBy(column, way).orderBy("id", way);
}

function refuseFixed({ fixed }: Resource, before: Item, patch: Fields): void {
  const changed = fixed.find(
    (name) => patch[name] !== undefined && JSON.stringify(patch[name]) !== JSON.stringify(before[name]),
  );
  if (changed !== undefined) throw new AppError("bad_request", `${changed}: cannot be changed`);
}
