import { readFileSync } from "node:fs";
import { LATER } from "./calls.ts";

/** The packages that exist; the rows of all others are still to come. */
const PACKAGES = new Set([
  "accounts",
  "automation",
  "channels",
  "characters",
  "knowledge",
  "filter",
  "sessions",
  "models",
  "operations",
  "adapter-web",
  "adapter-imb",
  "adapter-generic",
  "adapter-ima",
  "adapter-imc",
  "gateway",
  "mcp-bridge",
  "files",
  "memory",
  "personality",
  "push",
  "sharing",
  "skills",
  "tools",
  "voice",
  "world-books",
]);

export interface Listed {
  /** `GET /api/sessions/{session_id}` */
  readonly row: string;
  readonly package: string;
  readonly auth: string;
}

/** The rows of the list, built or not. */
export const listed: readonly Listed[] = table("endpoints.tsv").map(([, method, path, owner = "", auth = ""]) => ({
  row: `${method} ${path}`,
  package: owner,
  auth,
}));

/** Those that must be there. */
export const expected: readonly Listed[] = listed.filter(
  ({ row, package: owner }) => PACKAGES.has(owner) && !(row in LATER),
);

/** What each row needs, ours included: a scope, or `open`. */
export const SCOPES: ReadonlyMap<string, string> = new Map(
  table("scopes.tsv").map(([scope = "", method, path]) => [`${method} ${path}`, scope]),
);

/** The lines of a table of this folder, without its head. */
function table(name: string): readonly (readonly string[])[] {
  const [, ...lines] = readFileSync(new URL(name, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => line.split("\t"));
}
