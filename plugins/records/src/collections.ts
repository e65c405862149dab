import { type Collection, type Collections, type Database, fixedStatement, notFound } from "@parley/core";
import Keyv, { type KeyvBridgeStore } from "keyv";
import { createDocumentTable, DOCUMENTS } from "./document-table.ts";

type Document = { readonly id: string };

/** Documents through Keyv, in memory once read, written through. `database` is asked for when the first one is. */
export function createCollections(database: () => Database): Collections {
  const open = new Map<string, OpenCollection>();
  const query = async (text: string, parameters: readonly unknown[]) => {
    const [result] = await database().write([{ query: fixedStatement(text, parameters) }]);
    return result?.rows ?? [];
  };
  const table = createDocumentTable(query, () => database().migrate("documents", DOCUMENTS));
  const opened = (name: string) => {
    const collection = open.get(name) ?? createCollection<Document>(name, () => keyvOver(table(name)));
    open.set(name, collection);
    return collection;
  };
  return {
    open: <Item extends Document>(name: string) => opened(name) as unknown as Collection<Item>,
    async putTogether(documents) {
      // In one order and each once: of two callers nobody waits for the other for ever.
      const named = new Map(documents.map((one) => [`${one.collection} ${one.item.id}`, one]));
      const held = [...named]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { collection, item }]) => ({ name: collection, item: frozen(structuredClone(item)) }));
      const write = async () => {
        // The table is made when the first of them is read.
        for (const { name, item } of held) await opened(name).get(item.id);
        const statements = await Promise.all(held.map(({ name, item }) => insertOf(name, item)));
        await database().write(statements);
        for (const { name, item } of held) await opened(name).hold(item);
      };
      await held.reduceRight<() => Promise<void>>(
        (inner, { name, item }) =>
          () =>
            opened(name).inTurn(item.id, inner),
        write,
      )();
    },
  };
}

interface OpenCollection extends Collection<Document> {
  /** Runs when what was asked of a document before is over. */
  inTurn<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Takes over what is stored already. */
  hold(item: Document): Promise<void>;
}

/** The statement by which Keyv stores a document. */
async function insertOf(name: string, item: Document) {
  let insert: ReturnType<typeof fixedStatement> | undefined;
  const noted = createDocumentTable(async (text, parameters) => {
    insert = fixedStatement(text, parameters);
    return [];
  });
  await keyvOver(noted(name)).set(item.id, item);
  if (!insert) throw new Error("Keyv stored nothing");
  return { query: insert };
}

function keyvOver(store: KeyvBridgeStore): Keyv {
  return new Keyv({ store, throwOnErrors: true });
}

function createCollection<Item extends Document>(name: string, connect: () => Keyv) {
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

  const collection: Collection<Item> = {
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
  return {
    ...collection,
    inTurn,
    hold: async (item: Item) => void (await contents()).items.set(item.id, item),
  };
}

// What is handed out is what is kept: nobody may change it by the way.
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
