import KeyvSqlite from "@keyv/sqlite";
import { type Collection, type Collections, notFound } from "@parley/core";
import Keyv from "keyv";
import type { OpenDatabase } from "./database.ts";

type Document = { readonly id: string };

/** Documents through Keyv, in memory once read, written through. `database` is asked for when the first one is. */
export function createCollections(database: () => OpenDatabase): Collections {
  const open = new Map<string, Collection<Document>>();
  return {
    open<Item extends Document>(name: string): Collection<Item> {
      const collection = open.get(name) ?? createCollection<Document>(name, () => keyvFor(name, database()));
      open.set(name, collection);
      return collection as unknown as Collection<Item>;
    },
  };
}

function keyvFor(name: string, { query }: OpenDatabase): Keyv {
  const store = new KeyvSqlite({
    table: "documents",
    iterationLimit: 500,
    driver: {
      name: "custom",
      connect: async () => ({
        query: async (text, ...parameters) => [...(await query(text, parameters))],
        close: async () => {},
      }),
    },
  });
  return new Keyv({ store, namespace: name, throwOnErrors: true });
}

function createCollection<Item extends Document>(name: string, connect: () => Keyv): Collection<Item> {
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
  // Changes of one document one after another; others do not wait for them.
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

  return {
    get: async (id) => (await contents()).items.get(id),
    list: async () => [...(await contents()).items.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    put: (item) => inTurn(item.id, async () => void (await store(item))),
    remove: (id) =>
      inTurn(id, async () => {
        const { store: keyv, items } = await contents();
        if (!items.has(id)) return false;
        await keyv.delete(id);
        return items.delete(id);
      }),
    update: (id, change) =>
      inTurn(id, async () => {
        const item = (await contents()).items.get(id);
        if (!item) throw notFound(name, id);
        return store(change(item));
      }),
  };
}

// What is handed out is what is kept: nobody may change it by the way.
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
