import type { StoredRecords } from "../services/storage/record-store.ts";
import type { Resource, ResourceItem, ResourcePatch } from "./resource.ts";
import type { ResourceRecords } from "./resource-routes.ts";

/**
 * Offers stored records to callers of the API: secrets are masked, fields of `secret` are left out, and lists omit the fields of
 * `detail`. A mask that is sent back keeps the stored secret.
 */
export function createResourceRecords<Fields extends object>(
  one: Resource<Fields>,
  stored: StoredRecords<Fields>,
): ResourceRecords<Fields> {
  const { secrets, secret, detail } = one;
  const toView = (item: ResourceItem<Fields>) => omitFields(secrets?.masked(item) ?? item, secret);
  return {
    async page(query) {
      const { items, ...page } = await stored.page(query);
      return { ...page, items: items.map((item) => omitFields(toView(item), detail)) };
    },
    get: async (id) => toView(await stored.get(id)),
    create: async (draft) => toView(await stored.create(secrets?.unmasked(draft) ?? draft)),
    async change(id, patch, request) {
      const unmask = (before: ResourceItem<Fields>): ResourcePatch<Fields> =>
        secrets?.unmasked(patch as Partial<ResourceItem<Fields>>, before) ?? patch;
      return toView(await stored.change(id, unmask, request));
    },
    remove: (id, request) => stored.remove(id, request),
  };
}

function omitFields<Item extends object>(item: Item, names: readonly string[]): Item {
  if (names.length === 0) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name))) as Item;
}
