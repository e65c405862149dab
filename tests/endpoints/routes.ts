import { readFileSync } from "node:fs";

export interface ListedRoute {
  /** `GET /api/sessions/{session_id}` */
  readonly row: string;
  readonly package: string;
  readonly auth: string;
}

/** The listed routes, all of which must exist. */
export const listedRoutes: readonly ListedRoute[] = readTable("endpoints.tsv").map(
  ([, method, path, owner = "", auth = ""]) => ({
    row: `${method} ${path}`,
    package: owner,
    auth,
  }),
);

/** Required scope of each route, including our own: a scope, or `open`. */
export const SCOPES: ReadonlyMap<string, string> = new Map(
  readTable("scopes.tsv").map(([scope = "", method, path]) => [`${method} ${path}`, scope]),
);

/** Reads the lines of a table of this folder, without its head. */
function readTable(name: string): readonly (readonly string[])[] {
  const [, ...lines] = readFileSync(new URL(name, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => line.split("\t"));
}
