/** Returns the items without this one, or with it if it was missing. */
export function toggle<Item>(items: Iterable<Item>, item: Item): ReadonlySet<Item> {
  return new Set(items).symmetricDifference(new Set([item]));
}
