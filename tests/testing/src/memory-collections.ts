import { type Collection, type Collections, notFound } from "@parley/core";

/** Creates in-memory collections for a test; they store copies like a real store. */
export function memoryCollections(): Collections {
  const lasts = new Map<string, Promise<unknown>>();
  const stores = new Map<string, Map<string, { readonly id: string }>>();
  const storeOf = (name: string) => {
    const store = stores.get(name) ?? new Map<string, { readonly id: string }>();
    stores.set(name, store);
    return store;
  };
  return {
    async putTogether(documents) {
      for (const { collection, item } of structuredClone(documents)) storeOf(collection).set(item.id, item);
    },
    open<Item extends { readonly id: string }>(name: string): Collection<Item> {
      const store = storeOf(name) as Map<string, Item>;
      const list = async () =>
        [...store.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map((item) => structuredClone(item));
      return {
        get: async (id) => structuredClone(store.get(id)),
        list,
        alone(work) {
          const run = async () => work(await list());
          const next = (lasts.get(name) ?? Promise.resolve()).then(run, run);
          lasts.set(name, next);
          return next;
        },
        put: async (item) => void store.set(item.id, structuredClone(item)),
        remove: async (id) => store.delete(id),
        onElsewhere: () => () => {},
        async update(id, change) {
          const item = store.get(id);
          if (!item) throw notFound(name, id);
          const changed = change(structuredClone(item));
          store.set(id, structuredClone(changed));
          return changed;
        },
      };
    },
  };
}
