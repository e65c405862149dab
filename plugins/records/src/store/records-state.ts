import type { Clock, Database, Files, LiveEvents, Logger, Resolver, Resource, ResourceItem } from "@parley/core";
import type { Documents } from "../documents.ts";
import type { RemoteChanges, RemoteRecordChanges } from "../remote-changes.ts";
import type { createRecordPages, StoredRow } from "./record-pages.ts";
import {
  type listColumns,
  prepareTable,
  type RecordDataTables,
  type RecordTables,
  type toDataTableName,
  type toTableName,
} from "./record-table.ts";

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

export type RecordItem = ResourceItem<Record<string, unknown>>;

export type RecordFields = Readonly<Record<string, unknown>>;

export interface RecordsDeps extends Omit<RecordStoreDeps, "remoteChanges" | "kinds" | "documents" | "from" | "log"> {
  readonly remoteChanges: RemoteRecordChanges;
}

/** The records of one kind. */
export interface RecordsState {
  readonly one: Resource;
  readonly deps: RecordsDeps;
  readonly table: ReturnType<typeof toTableName>;
  /** The table with the records' texts. */
  readonly dataTable: ReturnType<typeof toDataTableName>;
  readonly columns: ReturnType<typeof listColumns>;
  readonly fileFields: readonly string[];
  readonly pages: ReturnType<typeof createRecordPages>;
  /** The preparation of the tables; undefined until their first use. */
  prepared: Promise<void> | undefined;
}

/** Creates the tables if they do not exist; a failed attempt is repeated at the next use. */
export async function prepare(state: RecordsState): Promise<void> {
  state.prepared ??= prepareTable(state.deps.database(), state.one).catch((error) => {
    state.prepared = undefined;
    throw error;
  });
  await state.prepared;
}

export function rowTables({ deps }: RecordsState) {
  return deps.database().tables<RecordTables>();
}

export function dataTables({ deps }: RecordsState) {
  return deps.database().tables<RecordDataTables>();
}

export function toItem({ one }: RecordsState, { id, data, revision, created_at, updated_at }: StoredRow): RecordItem {
  return {
    ...one.defaults,
    ...JSON.parse(data),
    id,
    created_at: new Date(Number(created_at)).toISOString(),
    updated_at: new Date(Number(updated_at)).toISOString(),
    revision,
  };
}

export function toRow({ columns }: RecordsState, { id, created_at, updated_at, revision, ...fields }: RecordItem) {
  return {
    row: {
      id,
      revision,
      created_at: Date.parse(created_at),
      updated_at: Date.parse(updated_at),
      ...Object.fromEntries(columns.map(({ name, read }) => [name, read(fields)])),
    },
    data: JSON.stringify(fields),
  };
}
