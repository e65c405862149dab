import type { Schema } from "@hapi/joi";
import { type List, toPage } from "../http/list.ts";
import type { Resource, ResourceQuery } from "./resource.ts";

/** Count of characters of a text that are used for sorting and comparing. */
const KEY_LENGTH = 200;

/** Returns a normalized key for comparing and sorting names: NFKC, lower case. */
export function textKey(text: string): string {
  return text.normalize("NFKC").toLowerCase().slice(0, KEY_LENGTH);
}

interface PagedResource extends Pick<Resource, "sort"> {
  readonly filters: readonly string[];
  readonly search: readonly string[];
}
type Fields = Readonly<Record<string, unknown>> & { readonly id: string };

/**
 * Returns a page of records in memory, filtered, searched and sorted like `RecordStore`. For small sets; `before` is
 * an order applied before the requested one.
 */
export function toRecordPage<Item extends { readonly id: string }>(
  one: PagedResource,
  items: readonly Item[],
  query: ResourceQuery,
  before: (a: Item, b: Item) => number = () => 0,
): List<Item> {
  const found = items.filter((item) => matchesQuery(one, item as unknown as Fields, query));
  const { name, turned: isDescending } = orderOf(query.sort ?? (one.sort[0] as string));
  const order = new Map(found.map((item) => [item, sortKeyOf((item as unknown as Fields)[name])]));
  const compared = (a: Item, b: Item) => {
    const way = compare(order.get(a), order.get(b)) || compare(a.id, b.id);
    return before(a, b) || (isDescending ? -way : way);
  };
  return toPage(found.sort(compared), query);
}

/** Parses a sort order: `-name` sorts by `name`, descending. */
export function orderOf(sort: string): { readonly name: string; readonly turned: boolean } {
  return { name: sort.replace(/^-/, ""), turned: sort.startsWith("-") };
}

/** Returns true when a field is sorted as text. */
export function isTextField({ fields }: { readonly fields: object }, name: string): boolean {
  const { type } = (fields as Readonly<Record<string, Schema | undefined>>)[name] ?? {};
  return type !== "boolean" && type !== "number";
}

function matchesQuery({ filters, search }: PagedResource, item: Fields, query: ResourceQuery): boolean {
  const { q = "" } = query;
  const isWanted = filters.every((name) => {
    const [asked, value] = [query[name], item[name]];
    return asked === undefined || (Array.isArray(value) ? value.includes(asked) : value === asked);
  });
  const text = q.toLowerCase();
  return (
    isWanted &&
    (q === "" ||
      search.some((name) =>
        String(item[name] ?? "")
          .toLowerCase()
          .includes(text),
      ))
  );
}

function sortKeyOf(value: unknown): string | number {
  if (typeof value === "boolean" || typeof value === "number") return Number(value);
  return textKey(String(value ?? ""));
}

function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === b) return 0;
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
