import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Listed, parley, toQueryString } from "../shared/api/client.ts";
import type { ResourceAction, ResourceView } from "../shared/api/console.ts";
import { toJsonObject } from "../shared/json-object.ts";
import { omitEmpty } from "../shared/omit-empty.ts";
import { usePagedList } from "../shared/ui/table/use-paged-list.ts";

/** A record as the service returns it. */
export type ResourceRecord = Readonly<Record<string, unknown>> & { readonly id: string; readonly revision: number };

/** Search, sort and filter of a list; stored in the URL, so that the back button restores them. */
export interface ListState {
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly filter?: Readonly<Record<string, string | boolean>> | undefined;
}

const PAGE_SIZE = 25;

export function useListState(): readonly [ListState, (change: ListState) => void] {
  const state = toListState(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (next: ListState) =>
    void navigate({ to: ".", search: () => omitEmpty<ListState>({ ...state, ...next }), replace: true });
  return [state, change];
}

export function toListQuery(
  view: ResourceView,
  { q, sort, filter }: ListState,
): Readonly<Record<string, string | boolean>> {
  return { ...(view.search && q && { q }), ...(sort && { sort }), ...filter };
}

export function useRecords(view: ResourceView, state: ListState) {
  const query = toListQuery(view, state);
  return usePagedList({
    queryKey: [view.kind, "list", query],
    read: (page, _cursor, signal) => listRecords(view, toQueryString({ ...query, ...page }), signal),
    getId: ({ id }) => id,
    pageSize: PAGE_SIZE,
  });
}

export function useRecord(view: ResourceView, id: string) {
  return useQuery({ queryKey: [view.kind, "one", id], queryFn: () => readRecord(view, id) });
}

/** Fetches a page of records. The typed client does not know their path, so the answer is checked here. */
export async function listRecords(view: ResourceView, queryString: string, signal?: AbortSignal) {
  return toPage((await parley.request("get", `${view.path}?${queryString}`, { signal })).data);
}

export async function readRecord(view: ResourceView, id: string): Promise<ResourceRecord> {
  return toRecord((await parley.request("get", toRecordPath(view, id))).data);
}

export async function createRecord(view: ResourceView, body: object): Promise<ResourceRecord> {
  return toRecord((await parley.request("post", view.path, { body })).data);
}

/** Changes fields of a record; rejects when its revision is no longer `ifMatch`. */
export async function changeRecord(
  view: ResourceView,
  id: string,
  body: object,
  ifMatch: number | undefined,
): Promise<ResourceRecord> {
  return toRecord((await parley.request("put", toRecordPath(view, id), { body, ifMatch })).data);
}

export async function deleteRecord(view: ResourceView, id: string): Promise<void> {
  await parley.request("delete", toRecordPath(view, id));
}

/** Runs an action of a resource and returns the data of its answer. */
export async function runAction({ method }: ResourceAction, path: string, values: object): Promise<unknown> {
  const options = method === "GET" ? {} : { body: values };
  return (await parley.request(method, path, options)).data;
}

function isRecord(value: unknown): value is ResourceRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "revision" in value &&
    typeof value.revision === "number"
  );
}

function toRecord(data: unknown): ResourceRecord {
  if (!isRecord(data)) throw new TypeError("the answer is not a record with id and revision");
  return data;
}

function toPage(data: unknown): Listed<ResourceRecord> {
  const { items, total }: { readonly items?: unknown; readonly total?: unknown } = Object(data);
  if (!Array.isArray(items) || typeof total !== "number") throw new TypeError("the answer is not a page of records");
  return { items: items.map(toRecord), total };
}

export function toRecordPath({ path }: ResourceView, id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}

/** Returns the display name of a record: its name, title or id. */
export function toRecordName(record: Readonly<Record<string, unknown>>): string {
  const name = record.name ?? record.title ?? record.id;
  return typeof name === "string" && name !== "" ? name : String(record.id);
}

/** Reads the list state from the parameters of the URL. People edit URLs, so any value may occur. */
function toListState(search: unknown): ListState {
  const { q, sort, filter } = toJsonObject(search);
  const filters = Object.entries(toJsonObject(filter)).flatMap(([field, value]): [string, string | boolean][] =>
    typeof value === "string" || typeof value === "boolean" ? [[field, value]] : [],
  );
  return {
    q: q === undefined ? undefined : String(q),
    sort: typeof sort === "string" ? sort : undefined,
    filter: filters.length === 0 ? undefined : Object.fromEntries(filters),
  };
}
