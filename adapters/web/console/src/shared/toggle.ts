/** Returns the items without this one, or with it where it was not among them. */
export function toggle<Item>(items: Iterable<Item>, item: Item): ReadonlySet<Item> {
  return new Set(items).symmetricDifference(new Set([item]));
}
