import { notFound } from "../error-texts.ts";
import type { Collection, Collections } from "../services/collections.ts";

/** Collections that live as long as the test; they keep copies, as a real store does. */
export function memoryCollections(): Collections {
  const stores = new Map<string, Map<string, { readonly id: string }>>();
  return {
    open<Item extends { readonly id: string }>(name: string): Collection<Item> {
      const store = (stores.get(name) ?? new Map<string, Item>()) as Map<string, Item>;
      stores.set(name, store);
      return {
        get: async (id) => structuredClone(store.get(id)),
        list: async () =>
          [...store.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map((item) => structuredClone(item)),
        put: async (item) => void store.set(item.id, structuredClone(item)),
        remove: async (id) => store.delete(id),
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
