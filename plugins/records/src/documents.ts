import { setTimeout as wait } from "node:timers/promises";
import {
  AppError,
  type Collection,
  type Collections,
  type Database,
  type DocumentKind,
  type KindDocument,
  type Logger,
  type NamedDocument,
  type Resolver,
  type Signal,
  type Signals,
  type Write,
} from "@parley/core";
import { createKeyedQueue, type KeyedQueue } from "@parley/core/async";
import { type SealedCollection, sealedCollection } from "@parley/core/secrets";
import { createDocumentRows, DOCUMENTS, type Document, type DocumentRows, freeze, isSame } from "./document-rows.ts";

const TOPIC = "documents";
const READ_AGAIN_MS = 500;

export interface DocumentsDeps {
  /** Returns the database; called when the first document is used. */
  readonly database: () => Database;
  /** Runs work that only one process may do at a time; a single process just runs it. */
  readonly alone: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Returns the signals to other processes, if there can be any. */
  readonly signals: () => Signals | undefined;
  readonly kinds: () => readonly DocumentKind[];
  /** Provides the encryption of secrets. */
  readonly from: Pick<Resolver, "get">;
  readonly log: Logger;
}

/** Documents of all kinds: cached when read, written through, and reloaded after changes of other processes. */
export interface Documents extends Collections {
  of<Item extends Document>(kind: DocumentKind<Item>): Collection<Item>;
  putKinds(documents: readonly KindDocument[]): Promise<void>;
  /** Creates the table of all documents. */
  prepare(): Promise<void>;
  /** Follows changes of other processes; returns an unsubscribe function. */
  listen(): () => void;
  /** Encrypts secrets that an earlier version stored in clear. */
  sealAll(): Promise<void>;
}

export function createDocuments(deps: DocumentsDeps): Documents {
  const { database, alone, signals, kinds, log } = deps;
  const opened = new Map<string, OpenCollection>();
  const sealed = new Map<string, SealedCollection<Document>>();
  const notifyWrites = (changed: readonly Signal[]) => signals()?.telling(changed) ?? [];
  let made: Promise<void> | undefined;
  const prepare = () => {
    made ??= database()
      .migrate("documents", DOCUMENTS)
      .catch((error) => {
        made = undefined;
        throw error;
      });
    return made;
  };
  const open = (name: string) => {
    const write = async (query: Write["query"], id: string) => {
      const [result] = await database().write([{ query }, ...notifyWrites([toSignal(name, id)])]);
      return result?.changes ?? 0;
    };
    const collection =
      opened.get(name) ??
      createCollection({
        rows: createDocumentRows(name, { database, write }),
        prepare,
        isShared: () => signals()?.isShared === true,
        alone: (work) => alone(`documents ${name}`, work),
      });
    opened.set(name, collection);
    return collection;
  };
  const openSealed = ({ name, secrets, sealedAs: owner = name }: DocumentKind): Collection<Document> => {
    if (!secrets) return open(name);
    const collection = sealed.get(name) ?? sealedCollection(open(name), { secrets, owner, from: deps.from, log });
    sealed.set(name, collection);
    return collection;
  };
  const putTogether = async (documents: readonly NamedDocument[]) => {
    // Sorted and unique, to avoid deadlocks between callers.
    const named = new Map(documents.map((one) => [`${one.collection} ${one.item.id}`, one]));
    const items = [...named]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { collection, item }]) => ({ name: collection, item: freeze(structuredClone(item)) }));
    const write = async () => {
      await prepare();
      const statements = items.map(({ name, item }) => ({ query: open(name).rows.toInsertion(item) }));
      await database().write([...statements, ...notifyWrites(items.map(({ name, item }) => toSignal(name, item.id)))]);
      for (const { name, item } of items) await open(name).putInCache(item);
    };
    await items.reduceRight<() => Promise<void>>(
      (inner, { name, item }) =>
        () =>
          open(name).runInTurn(item.id, inner),
      write,
    )();
  };
  const of = ({ name }: Pick<DocumentKind, "name">) => openSealed(findDeclared(name, kinds()));
  return {
    prepare,
    of: <Item extends Document>(kind: Pick<DocumentKind, "name">) => of(kind) as unknown as Collection<Item>,
    open: <Item extends Document>(name: string) => open(name) as unknown as Collection<Item>,
    putTogether,
    async putKinds(documents) {
      const stored = documents.map(({ kind, item }) => {
        of(kind);
        return { collection: kind.name, item: sealed.get(kind.name)?.sealed(item) ?? item };
      });
      await putTogether(stored);
    },
    async sealAll() {
      for (const kind of kinds()) {
        openSealed(kind);
        await sealed.get(kind.name)?.sealAll();
      }
    },
    listen() {
      const over = new AbortController();
      const stop = signals()?.listen(TOPIC, (key) => {
        const [name, id] = key === undefined ? [] : parseKey(key);
        const reads = [...opened].map(async ([own, collection]) => {
          if (name !== undefined && name !== own) return;
          await collection.reload(id, over.signal).catch((error) => {
            if (!over.signal.aborted) log.error("changes of another process could not be read", { name: own, error });
          });
        });
        return Promise.all(reads).then(() => {});
      });
      return () => {
        over.abort();
        stop?.();
      };
    },
  };
}

/** Returns a declared kind; throws for any other, because checks and exports would not include it. */
function findDeclared(name: string, kinds: readonly DocumentKind[]): DocumentKind {
  const found = kinds.find((one) => one.name === name);
  if (found) return found;
  throw new AppError("internal", `no plugin has declared the documents '${name}': call addDocuments in its register`);
}

function toSignal(collection: string, id: string): Signal {
  return { topic: TOPIC, key: `${collection} ${id}` };
}

function parseKey(key: string): readonly [collection: string, id: string] {
  const at = key.indexOf(" ");
  return [key.slice(0, at), key.slice(at + 1)];
}

interface OpenCollection extends Collection<Document> {
  readonly rows: DocumentRows;
  /** Runs after earlier operations on the same document. */
  readonly runInTurn: KeyedQueue;
  putInCache(item: Document): Promise<void>;
  /** Reloads a document, or all of them, after another process has changed it. */
  reload(id: string | undefined, over: AbortSignal): Promise<void>;
}

interface CollectionDeps {
  readonly rows: DocumentRows;
  readonly prepare: () => Promise<void>;
  readonly isShared: () => boolean;
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

function createCollection({ rows, prepare, isShared, alone }: CollectionDeps): OpenCollection {
  let loading: Promise<Map<string, Document>> | undefined;
  const load = async () => {
    await prepare();
    const items = new Map<string, Document>();
    for await (const item of rows.iterate()) items.set(item.id, item);
    return items;
  };
  const listContents = () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const inTurn = createKeyedQueue();
  const listeners = new Set<(id: string, item: Document | undefined) => void>();
  const notifyListeners = (id: string, item: Document | undefined) => {
    for (const listener of listeners) listener(id, item);
  };
  const readOne = (id: string) =>
    inTurn(id, async () => {
      const items = await listContents();
      const value = await rows.get(id);
      if (isSame(value, items.get(id))) return;
      if (value === undefined) items.delete(id);
      else items.set(id, value);
      notifyListeners(id, value);
    });
  const readAll = async () => {
    const ids = new Set((await listContents()).keys());
    for await (const { id } of rows.iterate()) ids.add(id);
    for (const id of ids) await readOne(id);
  };
  const list = async () => [...(await listContents()).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    rows,
    runInTurn: inTurn,
    putInCache: async (item) => void (await listContents()).set(item.id, item),
    /** Reads again until it succeeds, so that outdated documents are not used. */
    async reload(id, signal) {
      // An uncached collection needs no reload.
      if (!loading) return;
      for (;;) {
        try {
          return await (id === undefined ? readAll() : readOne(id));
        } catch (error) {
          if (!AppError.is(error) || error.code !== "unavailable") throw error;
          await wait(READ_AGAIN_MS, undefined, { ref: false, signal });
        }
      }
    },
    onElsewhere(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get: async (id) => (await listContents()).get(id),
    list,
    async stored(id) {
      if (isShared()) await readOne(id);
      return (await listContents()).get(id);
    },
    alone: (work) =>
      inTurn("", () =>
        alone(async () => {
          if (isShared()) await readAll();
          return work(await list());
        }),
      ),
    put: (item) =>
      inTurn(item.id, async () => {
        const items = await listContents();
        const copy = freeze(structuredClone(item));
        await rows.put(copy);
        items.set(item.id, copy);
      }),
    remove: (id, check) =>
      inTurn(id, async () => {
        const items = await listContents();
        const wasThere = await rows.remove(id, check);
        items.delete(id);
        return wasThere;
      }),
    update: (id, change) =>
      inTurn(id, async () => {
        const items = await listContents();
        const { before, next } = await rows.change(id, change);
        const isNews = !isSame(before, items.get(id));
        items.set(id, next);
        // Notifies listeners now, because the later signal of the other process finds no difference to the cache.
        if (isNews) notifyListeners(id, next);
        return next;
      }),
  };
}
