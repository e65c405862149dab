import { toSharedError } from "../error-texts.ts";
import { deletedReply, type List } from "../http/list.ts";
import { deletedData, extend, listData } from "../http/response-schemas.ts";
import { type Reply, type Route, type RouteTable, route } from "../http/route.ts";
import type { Caller } from "../services/operations/accounts.ts";
import type { ResourceVerb } from "./declaration.ts";
import type { Resource, ResourceItem, ResourcePatch, ResourceQuery } from "./resource.ts";

/** Caller of a change and the revision it is based on. */
export interface ChangeRequest {
  readonly caller: Caller;
  /** Revision that the caller saw; `conflict` when the record has changed. */
  readonly ifMatch?: number | undefined;
}

/**
 * Storage of a resource's records: `RecordStore` by default; an area with files or state of its own provides another.
 * Methods return the record as people see it, or a `reply` with a message.
 */
export interface ResourceRecords<Fields extends object> {
  page(query: ResourceQuery, caller: Caller): Promise<List<ResourceItem<Fields>>>;
  /** `not_found` when there is none. */
  get(id: string, caller: Caller): Promise<ResourceItem<Fields>>;
  create(draft: Fields, request: ChangeRequest): Promise<ResourceItem<Fields> | Reply>;
  change(id: string, patch: ResourcePatch<Fields>, request: ChangeRequest): Promise<ResourceItem<Fields> | Reply>;
  /** Removes a record; returns the fields that `removed` declares. */
  remove(id: string, request: ChangeRequest): Promise<unknown>;
}

/** Creates the routes of a resource, for the verbs that it declares. */
export function createResourceRoutes<Fields extends object>(
  one: Resource<Fields>,
  records: ResourceRecords<Fields>,
): RouteTable {
  const { path, param, title, scopes, draft, patch, listing, item, listed, removed, made, verbs, maxBytes } = one;
  const single = `${path}/{${param}}` as const;
  const idOf = (params: Readonly<Record<string, string>>) => params[param] as string;
  const read = { scope: scopes.read ?? "read" } as const;
  const write = { scope: scopes.change ?? "write" } as const;
  const sized = maxBytes === undefined ? {} : { maxBytes };
  const [name, many] = [title.one.en, title.many.en];
  const rows: Readonly<Record<ResourceVerb, Route>> = {
    list: route({
      method: "GET",
      path,
      summary: `list the ${many}`,
      ...read,
      query: listing,
      data: listData(listed),
      run: ({ query, caller }) => records.page(query, caller),
    }),
    get: route({
      method: "GET",
      path: single,
      summary: `one ${name}`,
      ...read,
      data: item,
      run: ({ params, caller }) => records.get(idOf(params), caller),
    }),
    create: route({
      method: "POST",
      path,
      summary: `create a ${name}`,
      ...write,
      ...sized,
      body: draft,
      data: made,
      run: ({ body, caller }) => records.create(body, { caller }),
    }),
    update: route({
      method: "PUT",
      path: single,
      summary: `change a ${name}`,
      ...write,
      ...sized,
      body: patch,
      data: item,
      run({ params, body, caller, ifMatch }) {
        if (Object.keys(body).length === 0) throw toSharedError("bad_request", "nothing_to_update", {});
        return records.change(idOf(params), body, { caller, ifMatch });
      },
    }),
    remove: route({
      method: "DELETE",
      path: single,
      summary: `delete a ${name}`,
      ...write,
      data: Object.keys(removed).length === 0 ? deletedData : extend(deletedData, removed),
      async run({ params, caller, ifMatch }) {
        const id = idOf(params);
        const more = await records.remove(id, { caller, ifMatch });
        return { ...deletedReply(id), ...Object(more) };
      },
    }),
  };
  return verbs.map((verb) => rows[verb]);
}
