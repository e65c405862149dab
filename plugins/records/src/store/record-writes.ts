import { type GivenId, limitRows, newId, type Resource, removeRevision } from "@parley/core";
import { recordsTexts } from "../texts.ts";
import { getFilterColumn } from "./record-pages.ts";
import {
  dataTables,
  prepare,
  type RecordFields,
  type RecordItem,
  type RecordsState,
  rowTables,
  toRow,
} from "./records-state.ts";

export function toCreation(state: RecordsState, draft: { readonly id?: string }, given: GivenId = {}) {
  const { one, table, dataTable, deps } = state;
  const now = deps.clock.now();
  const at = new Date(now).toISOString();
  const id = given.id ?? draft.id ?? newId(one.idPrefix, now);
  const item: RecordItem = { ...one.defaults, ...draft, id, created_at: at, updated_at: at, revision: 1 };
  const { row, data } = toRow(state, item);
  const writes = [
    { query: rowTables(state).insertInto(table).values(row), expect: 1 },
    { query: dataTables(state).insertInto(dataTable).values({ id, data }), expect: 1 },
    ...(one.most === undefined ? [] : [limitRows(table, one.most, one.title.many)]),
    ...toFileWrites(state, item),
    ...deps.remoteChanges.toNotifyWrites(id),
  ];
  return { item, writes };
}

export function toChange(state: RecordsState, before: RecordItem, patch: RecordFields) {
  const { one, table, dataTable, deps } = state;
  rejectFixedFields(one, before, patch);
  const { id, created_at, revision } = before;
  const updated_at = new Date(deps.clock.now()).toISOString();
  const item: RecordItem = { ...before, ...patch, id, created_at, updated_at, revision: revision + 1 };
  const { row, data } = toRow(state, item);
  const { id: _id, created_at: _created, ...values } = row;
  const query = rowTables(state).updateTable(table).set(values).where("id", "=", id).where("revision", "=", revision);
  const writes = [
    { query, expect: 1 },
    { query: dataTables(state).updateTable(dataTable).set({ data }).where("id", "=", id), expect: 1 },
    ...toFileWrites(state, patch),
    ...deps.remoteChanges.toNotifyWrites(id),
  ];
  return { item, writes };
}

export function toRemoval(state: RecordsState, id: string, ifMatch?: number) {
  const { table, dataTable, deps } = state;
  return [
    removeRevision(rowTables(state).deleteFrom(table).where("id", "=", id), ifMatch),
    { query: dataTables(state).deleteFrom(dataTable).where("id", "=", id) },
    ...deps.remoteChanges.toNotifyWrites(id),
  ];
}

export async function toRemovalBy(state: RecordsState, filter: string, value: unknown) {
  const { one, table, dataTable, deps } = state;
  await prepare(state);
  const column = getFilterColumn(one, filter);
  const ids = rowTables(state)
    .selectFrom(table)
    .select("id")
    .where(column, "=", value as never);
  const rows = rowTables(state)
    .deleteFrom(table)
    .where(column, "=", value as never);
  return [
    { query: dataTables(state).deleteFrom(dataTable).where("id", "in", ids) },
    { query: rows },
    ...deps.remoteChanges.toNotifyWrites(),
  ];
}

/** Returns the writes that mark the files named by a record as used, so that they are not removed. */
function toFileWrites({ deps, fileFields }: RecordsState, fields: RecordFields) {
  return deps.files()?.keeps(fileFields.map((name) => String(fields[name] ?? ""))) ?? [];
}

function rejectFixedFields({ fixed }: Resource, before: RecordItem, patch: RecordFields): void {
  const changed = fixed.find(
    (name) => patch[name] !== undefined && JSON.stringify(patch[name]) !== JSON.stringify(before[name]),
  );
  if (changed !== undefined) throw recordsTexts.error("bad_request", "fixed", {}, { field: changed });
}
