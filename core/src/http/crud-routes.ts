import type { ObjectSchema, Schema } from "@hapi/joi";
import type { Scope } from "../services/accounts.ts";
import { deletedData, listData } from "./answers.ts";
import type { List, Page } from "./list.ts";
import { type Route, route } from "./route.ts";

/** What a resource must be to earn the generic rows. Anything more is a row of its own. */
export interface Crud<Item, Draft, Patch, Query extends Page = Page> {
  list(query: Query): Promise<List<Item>>;
  get(id: string): Promise<Item>;
  create(draft: Draft): Promise<Item>;
  /** Refuses with `conflict` when `ifMatch` is not the record's revision. */
  update(id: string, patch: Patch, ifMatch?: number): Promise<Item>;
  remove(id: string): Promise<void>;
}

export interface CrudTable<Item, Draft, Patch, Query extends Page> {
  readonly base: `/api/${string}`;
  /** What one item is called, for the API page: `workflow`. */
  readonly noun: string;
  readonly verbs: readonly (keyof Crud<Item, Draft, Patch>)[];
  readonly query: ObjectSchema<Query>;
  readonly draft: ObjectSchema<Draft>;
  readonly patch: ObjectSchema<Patch>;
  readonly item: Schema;
  /** Of the changing rows; default `write`. */
  readonly scope?: Scope;
  readonly items: Crud<Item, Draft, Patch, Query>;
}

/** The five ordinary rows of a resource, or those of them that `verbs` names. */
export function crudRoutes<Item, Draft, Patch, Query extends Page>(
  table: CrudTable<Item, Draft, Patch, Query>,
): Route[] {
  const { base, noun, verbs, query, draft, patch, item, items } = table;
  const one = `${base}/{id}` as const;
  const scope = table.scope ?? "write";
  const rows = {
    list: route({
      method: "GET",
      path: base,
      summary: `list ${noun}s`,
      query,
      data: listData(item),
      run: (asked) => items.list(asked.query),
    }),
    get: route({
      method: "GET",
      path: one,
      summary: `one ${noun}`,
      data: item,
      run: ({ params }) => items.get(params.id),
    }),
    create: route({
      method: "POST",
      path: base,
      summary: `create a ${noun}`,
      scope,
      body: draft,
      data: item,
      run: ({ body }) => items.create(body),
    }),
    update: route({
      method: "PUT",
      path: one,
      summary: `change a ${noun}`,
      scope,
      body: patch,
      data: item,
      run: ({ params, body, ifMatch }) => items.update(params.id, body, ifMatch),
    }),
    remove: route({
      method: "DELETE",
      path: one,
      summary: `delete a ${noun}`,
      scope,
      data: deletedData,
      run: async ({ params }) => {
        await items.remove(params.id);
        return deleted(params.id);
      },
    }),
  };
  return verbs.map((verb) => rows[verb]);
}

/** What a DELETE of one record answers. */
export function deleted(id: string): { readonly id: string; readonly deleted: true } {
  return { id, deleted: true };
}
