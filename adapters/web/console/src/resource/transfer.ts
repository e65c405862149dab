import { toQueryString } from "../shared/api/client.ts";
import type { ResourceView } from "../shared/api/console.ts";
import { readAllPages } from "../shared/api/list-pages.ts";
import { parseJson } from "../shared/forms/json-text.ts";
import {
  createRecord,
  type ListState,
  listRecords,
  type ResourceRecord,
  toListQuery,
  toRecordName,
} from "./records.ts";

export interface ImportResult {
  readonly importedCount: number;
  readonly problems: readonly { readonly name: string; readonly error: unknown }[];
}

/** Fetches all records that match the search and filters of the list. */
export function exportRecords(view: ResourceView, state: ListState): Promise<readonly ResourceRecord[]> {
  const query = toListQuery(view, state);
  return readAllPages(
    (page) => listRecords(view, toQueryString({ ...query, ...page })),
    ({ id }) => id,
  );
}

/** Parses an exported file: a list of records, or an object with `items`. Returns undefined for anything else. */
export function parseRecords(text: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  const content = parseJson(text)?.value;
  const items: unknown = Array.isArray(content) ? content : Object(content).items;
  return Array.isArray(items) && items.every((one) => typeof one === "object" && one !== null) ? items : undefined;
}

/** Creates a new record from each of these, with the fields of the creation form. Reports those that fail and imports the others. */
export async function importRecords(
  view: ResourceView,
  records: readonly Readonly<Record<string, unknown>>[],
  onProgress: (done: number) => void,
): Promise<ImportResult> {
  const names = Object.keys(view.form.properties);
  const problems: { name: string; error: unknown }[] = [];
  for (const [index, record] of records.entries()) {
    const draft = Object.fromEntries(names.filter((name) => record[name] != null).map((name) => [name, record[name]]));
    try {
      await createRecord(view, draft);
    } catch (error) {
      problems.push({ name: toRecordName({ id: index + 1, ...draft }), error });
    }
    onProgress(index + 1);
  }
  return { importedCount: records.length - problems.length, problems };
}
