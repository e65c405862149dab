import { setTimeout as wait } from "node:timers/promises";
import {
  AppError,
  type Collection,
  type Collections,
  type Database,
  fixedStatement,
  type Logger,
  notFound,
  type Signal,
  type Signals,
} from "@parley/core";
import type Keyv from "keyv";
import { createDocumentTable, DOCUMENTS, type DocumentQuery } from "./document-table.ts";
import { frozen, isSame } from "./document-values.ts";
import { createSharedDocuments, type Document, insertOf, keyvOver, type SharedDocuments } from "./shared-documents.ts";

const TOPIC = "documents";
const READ_AGAIN_MS = 500;

export interface CollectionsDeps {
  /** Called when the first document is used. */
  readonly database: () => Database;
  /** Runs work that only one process may do at once; with a single process it just runs. */
  readonly alone: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** To other processes, where there may be some. */
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

export interface OwnCollections extends Collections {
  /** Makes the table of all documents. */
  prepare(): Promise<void>;
  /** Applies changes of other processes; the returned function stops that. */
  listen(): () => void;
}

/** Collections over Keyv: cached once read, written through, and reloaded after changes of other processes. */
export function createCollections({ database, alone, signals, log }: CollectionsDeps): OwnCollections {
  const open = new Map<string, OpenCollection>();
  const isShared = () => signals()?.isShared === true;
  const telling = (documents: readonly Signal[]) => signals()?.telling(documents) ?? [];
  const query: DocumentQuery = async (text, parameters, changed) => {
    const signalWrites = changed ? telling([signalOf(changed.collection, changed.id)]) : [];
    const [result] = await database().write([{ query: fixedStatement(text, parameters) }, ...signalWrites]);
    return result?.rows ?? [];
  };
  const prepare = () => database().migrate("documents", DOCUMENTS);
  const table = createDocumentTable(query, prepare);
  const opened = (name: string) => {
    const among = {
      shared: createSharedDocuments(name, query),
      isShared,
      alone: <T>(work: () => Promise<T>) => alone(`documents ${name}`, work),
    };
    const collection = open.get(name) ?? createCollection<Document>(name, () => keyvOver(table(name)), among);
    open.set(name, collection);
    return collection;
  };
  return {
    prepare,
    open: <Item extends Document>(name: string) => opened(name) as unknown as Collection<Item>,
    async putTogether(documents) {
      // Sorted and unique, to avoid deadlocks between callers.
      const named = new Map(documents.map((one) => [`${one.collection} ${one.item.id}`, one]));
      const items = [...named]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { collection, item }]) => ({ name: collection, item: frozen(structuredClone(item)) }));
      const write = async () => {
        // The table is created on first read.
        for (const { name, item } of items) await opened(name).get(item.id);
        const statements = await Promise.all(items.map(({ name, item }) => insertOf(name, item)));
        await database().write([...statements, ...telling(items.map(({ name, item }) => signalOf(name, item.id)))]);
        for (const { name, item } of items) await opened(name).hold(item);
      };
      await items.reduceRight<() => Promise<void>>(
        (inner, { name, item }) =>
          () =>
            opened(name).inTurn(item.id, inner),
        write,
      )();
    },
    listen() {
      const over = new AbortController();
      const stop = signals()?.listen(TOPIC, (key) => {
        const [name, id] = key === undefined ? [] : partsOf(key);
        const reads = [...open].map(async ([own, collection]) => {
          if (name !== undefined && name !== own) return;
          await collection.readAnew(id, over.signal).catch((error) => {
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

function signalOf(collection: string, id: string): Signal {
  return { topic: TOPIC, key: `${collection} ${id}` };
}

function partsOf(key: string): readonly [collection: string, id: string] {
  const at = key.indexOf(" ");
  return [key.slice(0, at), key.slice(at + 1)];
}

interface OpenCollection extends Collection<Document> {
  /** Runs after earlier operations on the same document. */
  inTurn<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Caches a stored document. */
  hold(item: Document): Promise<void>;
  /** Reloads a document, or all of them, after another process has changed it. */
  readAnew(id: string | undefined, over: AbortSignal): Promise<void>;
}

interface AmongProcesses<Item> {
  readonly shared: SharedDocuments<Item>;
  readonly isShared: () => boolean;
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

function createCollection<Item extends Document>(
  name: string,
  connect: () => Keyv,
  { shared, isShared, alone }: AmongProcesses<Item>,
) {
  let opened: Promise<{ readonly store: Keyv; readonly items: Map<string, Item> }> | undefined;
  const load = async () => {
    const store = connect();
    const items = new Map<string, Item>();
    for await (const [id, value] of store.iterator?.() ?? []) items.set(id, frozen(value as Item));
    return { store, items };
  };
  const contents = () => {
    opened ??= load().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  // Changes of the same document are sequential; others do not wait.
  const last = new Map<string, Promise<unknown>>();
  const inTurn = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(id) ?? Promise.resolve()).then(work, work);
    last.set(id, turn);
    const forget = () => {
      if (last.get(id) === turn) last.delete(id);
    };
    turn.then(forget, forget);
    return turn;
  };
  const store = async (item: Item) => {
    const { store: keyv, items } = await contents();
    const copy = frozen(structuredClone(item));
    await keyv.set(item.id, copy);
    items.set(item.id, copy);
    return copy;
  };

  const listeners = new Set<(id: string, item: Item | undefined) => void>();
  const tellListeners = (id: string, item: Item | undefined) => {
    for (const listener of listeners) listener(id, item);
  };
  const readOne = (id: string) =>
    inTurn(id, async () => {
      const { store: keyv, items } = await contents();
      const before = items.get(id);
      const value = frozen((await keyv.get(id)) as Item | undefined);
      if (isSame(value, before)) return;
      if (value === undefined) items.delete(id);
      else items.set(id, value);
      tellListeners(id, value);
    });
  const readAll = async () => {
    const { store: keyv, items } = await contents();
    const ids = new Set(items.keys());
    for await (const [each] of keyv.iterator?.() ?? []) ids.add(each);
    for (const each of ids) await readOne(each);
  };
  /** Reads again until it succeeds, so that outdated documents are not used. */
  const readAnew: OpenCollection["readAnew"] = async (id, signal) => {
    // An uncached collection needs no reload.
    if (!opened) return;
    for (;;) {
      try {
        return await (id === undefined ? readAll() : readOne(id));
      } catch (error) {
        if (!AppError.is(error) || error.code !== "unavailable") throw error;
        await wait(READ_AGAIN_MS, undefined, { ref: false, signal });
      }
    }
  };

  const list = async () => [...(await contents()).items.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const lastAlone = oneAfterAnother();
  const collection: Collection<Item> = {
    onElsewhere(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get: async (id) => (await contents()).items.get(id),
    list,
    async stored(id) {
      if (isShared()) await readOne(id);
      return (await contents()).items.get(id);
    },
    alone: (work) =>
      lastAlone(() =>
        alone(async () => {
          if (isShared()) await readAll();
          return work(await list());
        }),
      ),
    put: (item) => inTurn(item.id, async () => void (await store(item))),
    remove: (id, check) =>
      inTurn(id, async () => {
        const { store: keyv, items } = await contents();
        const cached = items.get(id);
        // Only one of several processes removes it, whatever their caches contain.
        if (!cached && !isShared()) return false;
        if (!isShared() && cached) check?.(cached);
        const wasThere = check && isShared() ? await shared.remove(id, check) : await keyv.delete(id);
        items.delete(id);
        return isShared() ? wasThere : cached !== undefined;
      }),
    update: (id, change) =>
      inTurn(id, async () => {
        const { items } = await contents();
        if (isShared()) {
          const { before, next } = await shared.change(id, change);
          const isNews = !isSame(before, items.get(id));
          items.set(id, next);
          // Notifies now: the later signal of the other process would find no difference to the cache.
          if (isNews) tellListeners(id, next);
          return next;
        }
        const item = items.get(id);
        if (!item) throw notFound(name, id);
        return store(change(item));
      }),
  };
  return {
    ...collection,
    inTurn,
    readAnew,
    hold: async (item: Item) => void (await contents()).items.set(item.id, item),
  };
}

function oneAfterAnother() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
