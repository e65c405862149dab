import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List } from "../../http/list.ts";
import type { Resource, ResourceItem, ResourcePatch, ResourceQuery } from "../../resource/resource.ts";
import type { ChangeRequest, ResourceRecords } from "../../resource/resource-routes.ts";
import type { Write } from "./database.ts";

/** Records of one resource in SQL: columns of their own for what is searched, filtered and sorted, JSON for all. */
export interface StoredRecords<Fields extends object> extends ResourceRecords<Fields> {
  page(query: ResourceQuery): Promise<List<ResourceItem<Fields>>>;
  get(id: string): Promise<ResourceItem<Fields>>;
  find(id: string): Promise<ResourceItem<Fields> | undefined>;
  /** Every one, in order of creation, read in pages. For what few there are, and for exports. */
  all(): AsyncIterable<ResourceItem<Fields>>;
  /** What is in `draft` beside the fields is kept with them: the values of `derived`. */
  create(draft: Fields, request?: Partial<ChangeRequest> & GivenId): Promise<ResourceItem<Fields>>;
  /** `patch` may be made of the record as it is then; it runs again when another change came first. */
  change(
    id: string,
    patch: ResourcePatch<Fields> | ((before: ResourceItem<Fields>) => ResourcePatch<Fields>),
    request?: Partial<ChangeRequest>,
  ): Promise<ResourceItem<Fields>>;
  remove(id: string, request?: Partial<ChangeRequest>): Promise<void>;
  /**
   * The same as statements, for an effect of a turn or a larger transaction, given once their table is there; `told` is published by whoever writes them,
   * after they are stored. A change is undone with `conflict` when the record is another one by then.
   */
  creating(draft: Fields, request?: GivenId): Promise<PreparedChange<Fields>>;
  changing(before: ResourceItem<Fields>, patch: ResourcePatch<Fields>): Promise<PreparedChange<Fields>>;
  removing(id: string): Promise<readonly Write[]>;
  /** All that have this value in a field of `filters`. */
  removingBy(filter: keyof Fields & string, value: string): Promise<readonly Write[]>;
  /**
   * Hears which records another process has changed, for who keeps them in memory: undefined for any of them. One after another,
   * and again while storage cannot be read. Only of kinds that somebody listens to is told. Returns the end of it.
   */
  onElsewhere(heard: (id: string | undefined) => void | Promise<void>): () => void;
  /** How many have each of these values in a field of `filters`; values that none has are not in it. */
  countBy(filter: keyof Fields & string, values: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** The id of a record that is made. */
export interface GivenId {
  /** Instead of a new one; for records that come with theirs. */
  readonly id?: string;
}

/** A change of a record that is not written yet. */
export interface PreparedChange<Fields extends object> {
  readonly item: ResourceItem<Fields>;
  readonly writes: readonly Write[];
}

/** Keeps the records of resources that do not keep their own. */
export interface RecordStore {
  /** The same object for the same kind; `internal` for a kind that no plugin has declared by `addResource` or `addRecords`. */
  of<Fields extends object>(resource: Resource<Fields>): StoredRecords<Fields>;
}
export const RecordStore: ServiceKey<RecordStore> = serviceKey("record-store");
