import type { ResourceView } from "@parley/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { api, type Listed, query } from "../shared/api/client.ts";

/** A record as it is answered. */
export type ResourceRecord = Readonly<Record<string, unknown>> & { readonly id: string; readonly revision: number };

/** Search, sort, page and filter of a list; stored in the URL, so that the back button restores them. */
export interface ListState {
  readonly q?: string;
  readonly sort?: string;
  readonly page?: number;
  readonly filter?: Readonly<Record<string, string | boolean>>;
}

export const PAGE_SIZE = 25;

export function useListState(): readonly [ListState, (change: ListState) => void] {
  const state = useSearch({ strict: false }) as ListState;
  const navigate = useNavigate();
  const change = (next: ListState) =>
    // Another view begins with its first page.
    void navigate({ to: ".", search: () => omitEmpty({ ...state, page: undefined, ...next }), replace: true });
  return [state, change];
}

export function toListQuery(
  view: ResourceView,
  { q, sort, filter }: ListState,
): Readonly<Record<string, string | boolean>> {
  return { ...(view.search && q && { q }), ...(sort && { sort }), ...filter };
}

export function useRecords(view: ResourceView, state: ListState) {
  const queryString = query({ ...toListQuery(view, state), limit: PAGE_SIZE, offset: (state.page ?? 0) * PAGE_SIZE });
  return useQuery({
    queryKey: [view.kind, "list", queryString],
    queryFn: ({ signal }) => api.get<Listed<ResourceRecord>>(`${view.path}?${queryString}`, signal),
    placeholderData: keepPreviousData,
  });
}

export function useRecord(view: ResourceView, id: string) {
  return useQuery({ queryKey: [view.kind, "one", id], queryFn: () => api.get<ResourceRecord>(recordPath(view, id)) });
}

export function recordPath({ path }: ResourceView, id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}

/** The display name of a record. */
export function recordName(record: Readonly<Record<string, unknown>>): string {
  const name = record.name ?? record.title ?? record.id;
  return typeof name === "string" && name !== "" ? name : String(record.id);
}

function omitEmpty(state: object): object {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined && value !== ""));
}
