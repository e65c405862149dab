import {
  AppError,
  type ChangeRequest,
  checkRevision,
  type GivenId,
  labelOf,
  notFound,
  type Resource,
  resourceChanged,
  type StoredRecords,
  textKey,
} from "@parley/core";
import { recordsTexts } from "../texts.ts";
import { createRecordPages, getFilterColumn, type StoredRow } from "./record-pages.ts";
import { listColumns, type RecordRow, toDataTableName, toTableName } from "./record-table.ts";
import { toChange, toCreation, toRemoval, toRemovalBy } from "./record-writes.ts";
import {
  prepare,
  type RecordFields,
  type RecordItem,
  type RecordsDeps,
  type RecordsState,
  rowTables,
  toItem,
} from "./records-state.ts";

/** Maximum retries of a change after a conflict. */
const MAX_CONFLICT_RETRIES = 10;
const PAGE_SIZE = 500;

export function createRecords(one: Resource, deps: RecordsDeps): StoredRecords<object> {
  const state: RecordsState = {
    one,
    deps,
    table: toTableName(one),
    dataTable: toDataTableName(one),
    columns: listColumns(one),
    fileFields: listFileFields(one),
    pages: createRecordPages(one, deps.database),
    prepared: undefined,
  };
  return {
    find: (id) => findRecord(state, id),
    get: (id) => getRecord(state, id),
    page: (query) => readPage(state, query),
    all: () => readAll(state),
    create: (draft, given) => createRecord(state, draft, given),
    change: (id, patch, request) => changeRecord(state, id, patch, request),
    remove: (id, request) => removeRecord(state, id, request),
    // The caller may never have read a record.
    creating: (draft, given) => prepare(state).then(() => toCreation(state, draft, given)),
    changing: (before, patch) =>
      prepare(state).then(() => toChange(state, before as RecordItem, patch as RecordFields)),
    removing: (id, ifMatch) => prepare(state).then(() => toRemoval(state, id, ifMatch)),
    removingBy: (filter, value) => toRemovalBy(state, filter, value),
    onElsewhere: deps.remoteChanges.onElsewhere,
    countBy: (filter, values) => countBy(state, filter, values),
  };
}

async function findRecord(state: RecordsState, id: string): Promise<RecordItem | undefined> {
  await prepare(state);
  const asked = rowTables(state).selectFrom(state.table).where("id", "=", id);
  const [row] = await state.deps.database().lookup<StoredRow>(state.pages.whole(asked));
  return row && toItem(state, row);
}

async function getRecord(state: RecordsState, id: string): Promise<RecordItem> {
  const item = await findRecord(state, id);
  if (!item) throw notFound(toNoun(state), id);
  return item;
}

function toNoun({ one }: RecordsState): string {
  return one.kind.replaceAll("_", " ");
}

async function readPage(state: RecordsState, query: Parameters<StoredRecords<object>["page"]>[0]) {
  await prepare(state);
  const { rows, total, page } = await state.pages.read(query);
  return { items: rows.map((row) => toItem(state, row)), total, ...page };
}

async function* readAll(state: RecordsState): AsyncGenerator<RecordItem> {
  for (let after = ""; ; ) {
    await prepare(state);
    const asked = rowTables(state).selectFrom(state.table).where("id", ">", after).orderBy("id").limit(PAGE_SIZE);
    const rows = await state.pages.whole(asked).orderBy("id").execute();
    for (const row of rows) yield toItem(state, row);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function createRecord(state: RecordsState, draft: object, given?: GivenId): Promise<RecordItem> {
  await prepare(state);
  await rejectTaken(state, draft as RecordFields);
  const { id } = draft as { readonly id?: string };
  if (id !== undefined && (await findRecord(state, id)))
    throw recordsTexts.error("conflict", "taken", { value: id }, { field: "id" });
  const { item, writes } = toCreation(state, draft, given);
  await state.deps.database().write(writes);
  publishChange(state, item, "created");
  return item;
}

async function changeRecord(
  state: RecordsState,
  id: string,
  patch: object | ((before: RecordItem) => object),
  { ifMatch }: Partial<ChangeRequest> = {},
): Promise<RecordItem> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await getRecord(state, id);
    checkRevision(before, ifMatch);
    const changed = (typeof patch === "function" ? patch(before) : patch) as RecordFields;
    await rejectTaken(state, changed, id);
    const { item, writes } = toChange(state, before, changed);
    try {
      await state.deps.database().write(writes);
    } catch (error) {
      // A concurrent write was first; the change is applied to its result.
      if (!AppError.is(error) || error.code !== "conflict" || attempt >= MAX_CONFLICT_RETRIES) throw error;
      continue;
    }
    publishChange(state, item, "updated", before);
    return item;
  }
}

async function removeRecord(state: RecordsState, id: string, { ifMatch }: Partial<ChangeRequest> = {}): Promise<void> {
  const before = await getRecord(state, id);
  checkRevision(before, ifMatch);
  const [removed] = await state.deps.database().write(toRemoval(state, id, ifMatch));
  if (removed?.changes === 0) throw notFound(toNoun(state), id);
  publishChange(state, before, "deleted");
}

async function countBy(state: RecordsState, filter: string, values: readonly unknown[]) {
  if (values.length === 0) return new Map<string, number>();
  await prepare(state);
  const column = getFilterColumn(state.one, filter);
  const rows = await rowTables(state)
    .selectFrom(state.table)
    .select((each) => [`${column} as value`, each.fn.countAll<number>().as("count")])
    .where(column, "in", values as never)
    .groupBy(column)
    .execute();
  return new Map(rows.map((row) => [String(row.value), Number(row.count)]));
}

/** Throws `conflict` when another record has the value of the unique field. */
async function rejectTaken(state: RecordsState, fields: RecordFields, except?: string): Promise<void> {
  const { unique } = state.one;
  if (unique === undefined || fields[unique] === undefined) return;
  const value = String(fields[unique]);
  await prepare(state);
  const query = rowTables(state)
    .selectFrom(state.table)
    .select("id")
    .where(`u_${unique}`, "=", textKey(value) as never);
  const [other] = await state.deps.database().lookup<RecordRow>(query);
  if (other && other.id !== except) throw recordsTexts.error("conflict", "taken", { value }, { field: unique });
}

function publishChange(
  { one, deps }: RecordsState,
  item: RecordItem,
  action: "created" | "updated" | "deleted",
  before?: RecordItem,
): void {
  const readers = one.readersOf?.(item);
  // Readers who lose access are notified of the change too.
  const both = before && readers && !one.readersOf?.(before) ? undefined : readers;
  deps.events.publish(resourceChanged(one, item.id, action, action === "deleted" ? null : item.revision, both));
}

function listFileFields({ fields }: Resource): readonly string[] {
  return Object.entries(fields).flatMap(([name, schema]) =>
    /^(picture|file)$/.test(labelOf(schema)?.widget ?? "") ? [name] : [],
  );
}
