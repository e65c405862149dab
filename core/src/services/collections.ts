import { type ServiceKey, serviceKey } from "../extension-point.ts";

/** Documents of one kind, each under its id. Small and read often: for long logs use `Database`. */
export interface Collection<Item extends { readonly id: string }> {
  get(id: string): Promise<Item | undefined>;
  /** All of them, by id. */
  list(): Promise<readonly Item[]>;
  /** Resolves when it is stored. */
  put(item: Item): Promise<void>;
  /** Whether it was there. */
  remove(id: string): Promise<boolean>;
  /**
   * Reads, changes and stores one document; changes of one document run one after another.
   * What `change` throws leaves it as it was; `not_found` when there is none.
   */
  update(id: string, change: (item: Item) => Item): Promise<Item>;
  /**
   * The document as it is stored now, also where another process has stored it a moment ago and this one has not heard of it yet:
   * for who would else refuse somebody. It asks the storage; absent where memory is as good.
   */
  stored?(id: string): Promise<Item | undefined>;
  /**
   * Runs `work` on all documents as they are stored now, whoever stored them, while nobody else, here or in another process, does
   * so with this collection: for who must not make a second one of a name. `unavailable` when the others take too long. Asked by
   * `aloneWith`.
   */
  alone?<T>(work: (all: readonly Item[]) => Promise<T>): Promise<T>;
  /**
   * Hears of each document that another process stored, or removed (undefined), as soon as it is read here: for who keeps more of
   * it in memory than this collection does. Returns the end of it.
   */
  onElsewhere(heard: (id: string, item: Item | undefined) => void): () => void;
}

/** Runs `work` as `Collection.alone` does; of a collection that has no such thing it is given what is there. */
export async function aloneWith<Item extends { readonly id: string }, T>(
  collection: Pick<Collection<Item>, "alone" | "list">,
  work: (all: readonly Item[]) => Promise<T>,
): Promise<T> {
  return collection.alone ? collection.alone(work) : work(await collection.list());
}

/** A document and the collection it is kept in. */
export interface NamedDocument {
  readonly collection: string;
  readonly item: { readonly id: string };
}

/** Documents by name and id, in the database. */
export interface Collections {
  /** `name` is kebab-case; one owner per name. */
  open<Item extends { readonly id: string }>(name: string): Collection<Item>;
  /** Stores documents of one or several collections, all or none. */
  putTogether(documents: readonly NamedDocument[]): Promise<void>;
}
export const Collections: ServiceKey<Collections> = serviceKey("collections");
