import { type ServiceKey, serviceKey } from "../extension-point.ts";
import type { LiteralSecrets } from "../secrets/literal-secrets.ts";

/** Documents of one kind, each under its id, cached once read. For small data that is read often; long logs belong into `Database`. */
export interface Collection<Item extends { readonly id: string }> {
  get(id: string): Promise<Item | undefined>;
  /** Returns all documents, ordered by id. */
  list(): Promise<readonly Item[]>;
  /** Stores a document; resolves once it is stored. */
  put(item: Item): Promise<void>;
  /** Deletes the document unless `check` throws for the stored one; resolves to true when it existed. */
  remove(id: string, check?: (item: Item) => void): Promise<boolean>;
  /**
   * Reads, changes and stores one document; changes of one document run in order. An error of `change` leaves it
   * unchanged; rejects with `not_found` when there is none.
   */
  update(id: string, change: (item: Item) => Item): Promise<Item>;
  /**
   * Returns the document from storage, including a recent change by another process. For checks that would otherwise
   * reject a request wrongly. Absent where memory is always current.
   */
  stored?(id: string): Promise<Item | undefined>;
  /**
   * Runs `work` with all documents from storage while no other caller, here or in another process, runs with this collection; for
   * uniqueness checks. Rejects with `unavailable` when the others take too long. Called by `aloneWith`.
   */
  alone?<T>(work: (all: readonly Item[]) => Promise<T>): Promise<T>;
  /**
   * Calls back with each document another process stored or removed (undefined), once it is read here; for additional
   * caches. Returns the unsubscribe function.
   */
  onElsewhere(listener: (id: string, item: Item | undefined) => void): () => void;
}

/** Runs `work` by `Collection.alone`; without it, with the listed documents. */
export async function aloneWith<Item extends { readonly id: string }, T>(
  collection: Pick<Collection<Item>, "alone" | "list">,
  work: (all: readonly Item[]) => Promise<T>,
): Promise<T> {
  return collection.alone ? collection.alone(work) : work(await collection.list());
}

/** A kind of small documents of a plugin, all in memory; declared by `addDocuments`. */
export interface DocumentKind<Item extends { readonly id: string } = { readonly id: string }> {
  /** kebab-case; its documents are stored under it. */
  readonly name: string;
  /** Secrets that people write into documents: encrypted at rest, returned opened. */
  readonly secrets?: LiteralSecrets<Item>;
  /** Encryption context of the secrets, together with the document's id; default: the name. */
  readonly sealedAs?: string;
}

/** A document of a kind, to be stored together with others. */
export interface KindDocument {
  readonly kind: Pick<DocumentKind, "name">;
  readonly item: { readonly id: string };
}

/** A document and the name of its collection. */
export interface NamedDocument {
  readonly collection: string;
  readonly item: { readonly id: string };
}

/** Collections of documents by name, in the database. */
export interface Collections {
  /** `name` is kebab-case; one owner per name. */
  open<Item extends { readonly id: string }>(name: string): Collection<Item>;
  /** Stores documents of one or several collections, all or none. */
  putTogether(documents: readonly NamedDocument[]): Promise<void>;
}
export const Collections: ServiceKey<Collections> = serviceKey("collections", {
  deprecated: "declare the documents by addDocuments and use RecordStore.documents",
});
