import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List } from "../../http/list.ts";
import type { Resource, ResourceItem, ResourcePatch, ResourceQuery } from "../../resource/resource.ts";
import type { ChangeRequest, ResourceRecords } from "../../resource/resource-routes.ts";
import type { Collection, DocumentKind, KindDocument } from "../collections.ts";
import type { Write } from "./database.ts";

/** Records of one resource in SQL: extra columns for searched, filtered and sorted fields, JSON for all. */
export interface StoredRecords<Fields extends object> extends ResourceRecords<Fields> {
  page(query: ResourceQuery): Promise<List<ResourceItem<Fields>>>;
  get(id: string): Promise<ResourceItem<Fields>>;
  find(id: string): Promise<ResourceItem<Fields> | undefined>;
  /** Iterates over all records in order of creation, read in pages. For small sets and exports. */
  all(): AsyncIterable<ResourceItem<Fields>>;
  /** Creates a record. Values in `draft` besides the fields, such as those of `derived`, are stored with them. */
  create(draft: Fields, request?: Partial<ChangeRequest> & GivenId): Promise<ResourceItem<Fields>>;
  /** Changes a record. `patch` may be computed from the current record; it runs again when another change came first. */
  change(
    id: string,
    patch: ResourcePatch<Fields> | ((before: ResourceItem<Fields>) => ResourcePatch<Fields>),
    request?: Partial<ChangeRequest>,
  ): Promise<ResourceItem<Fields>>;
  remove(id: string, request?: Partial<ChangeRequest>): Promise<void>;
  /**
   * Prepares the creation as statements, for an effect of a turn or a larger transaction; resolves once its table exists. The code that
   * runs them must publish `told` afterwards. A change is undone with `conflict` when the record has changed by then.
   */
  creating(draft: Fields, request?: GivenId): Promise<PreparedChange<Fields>>;
  changing(before: ResourceItem<Fields>, patch: ResourcePatch<Fields>): Promise<PreparedChange<Fields>>;
  /** Returns the writes that remove a record. With `ifMatch` all are undone with `conflict` when the record has another revision. */
  removing(id: string, ifMatch?: number): Promise<readonly Write[]>;
  /** Returns the writes that remove all records with this value in a field of `filters`. */
  removingBy(filter: keyof Fields & string, value: string): Promise<readonly Write[]>;
  /**
   * Calls back with the id of each record that another process changed, for caches; undefined stands for any record. Calls are
   * sequential and retried while storage is unavailable. Only kinds with a listener are broadcast. Returns the unsubscribe function.
   */
  onElsewhere(listener: (id: string | undefined) => void | Promise<void>): () => void;
  /** Counts the records per given value of a field of `filters`; values without records are missing. */
  countBy(filter: keyof Fields & string, values: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Records of a `cached` resource: all are in memory, including changes of other processes. */
export interface CachedRecords<Fields extends object>
  extends Pick<StoredRecords<Fields>, "page" | "find" | "get" | "create" | "change" | "remove"> {
  readonly size: number;
  /** Reads all records the first time, and follows changes from then on; call it in `start`. */
  load(): Promise<void>;
  /** Reads all records again, including recent changes of other processes. */
  reload(): Promise<void>;
  values(): IterableIterator<ResourceItem<Fields>>;
  /** Returns a record from memory; `find` reads the storage. */
  peek(id: string): ResourceItem<Fields> | undefined;
  /** Calls back after each change in memory; returns the unsubscribe function. */
  onChanged(listener: () => void): () => void;
}

/** Id of a record to create. */
export interface GivenId {
  /** Id instead of a generated one, for records that bring theirs. */
  readonly id?: string;
}

/** A prepared change of a record that is not written yet. */
export interface PreparedChange<Fields extends object> {
  readonly item: ResourceItem<Fields>;
  readonly writes: readonly Write[];
}

/** Stores the records of plugins: those of resources without a storage of their own, and small documents. */
export interface RecordStore {
  /** Returns the records of a resource, one object per kind; `internal` for a kind not declared by `addResource` or `addRecords`. */
  of<Fields extends object>(resource: Resource<Fields>): StoredRecords<Fields>;
  /** Returns the records of a `cached` resource, one object per kind. */
  cached<Fields extends object>(resource: Resource<Fields>): CachedRecords<Fields>;
  /** Returns the documents of a kind, one object per kind; `internal` for a kind not declared by `addDocuments`. */
  documents<Item extends { readonly id: string }>(kind: DocumentKind<Item>): Collection<Item>;
  /** Stores documents of one or several kinds, all or none. */
  putTogether(documents: readonly KindDocument[]): Promise<void>;
}
export const RecordStore: ServiceKey<RecordStore> = serviceKey("record-store");
