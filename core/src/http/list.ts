import Joi, { type ObjectSchema, type SchemaMap } from "@hapi/joi";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** The requested page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** One page of a list as answers return it. */
export interface List<Item> {
  readonly items: readonly Item[];
  /** Count of all matches, not only of this page. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Returns the query schema of a list route: `limit` (50, at most 500), `offset` (0) and the route's own filters. */
export function listQuery<Query extends Page = Page>(filters: SchemaMap = {}): ObjectSchema<Query> {
  return Joi.object({
    ...filters,
    limit: Joi.number()
      .unsafe()
      .integer()
      .min(1)
      .custom((limit: number) => Math.min(limit, MAX_LIMIT))
      .default(DEFAULT_LIMIT),
    offset: Joi.number().integer().min(0).default(0),
  }) as ObjectSchema<Query>;
}

/** Limits a page to 500 items. */
export function clampPage({ limit, offset }: Page): Page {
  return { limit: Math.min(limit, MAX_LIMIT), offset };
}

/** Returns one page of a complete list. */
export function toPage<Item>(items: readonly Item[], page: Page): List<Item> {
  const { limit, offset } = clampPage(page);
  return { items: items.slice(offset, offset + limit), total: items.length, limit, offset };
}

/** Returns the list with each of its items converted. */
export function mapItems<Item, Mapped>(list: List<Item>, map: (item: Item) => Mapped): List<Mapped> {
  return { ...list, items: list.items.map(map) };
}

/** Returns the answer to the DELETE of one record. */
export function deletedReply(id: string): { readonly id: string; readonly deleted: true } {
  return { id, deleted: true };
}
