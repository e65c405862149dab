import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";

const root = dirname(import.meta.dirname);
const CONSOLE = "adapters/web/console/src/";

/** Allowed casts by file, each with the reason why no type can replace it. */
const CASTS: Readonly<Record<string, readonly string[]>> = {
  "shared/objects.ts": ["the names of an object", "the fields with these names", "the fields that pass"],
  "shared/omit-empty.ts": ["only optional fields are removed"],
  "shared/ui/page/address.ts": ["areas bring their own paths, which the router's types do not know"],
  "shared/ui/form/conflict-differences.tsx": ["values come from where the draft comes from"],
  "shared/live/cards.ts": ["the items of a card are described by the socket alone"],
  "app/module-page.tsx": ["a plugin's page says what its own row answers"],
};

/** Calls of a path that the description does not have; the console knows it at runtime only. */
const RUNTIME_PATHS = ["app/module-page.tsx", "resource/records.ts"];

const sources = execFileSync("git", ["ls-files", CONSOLE], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\.d\.ts$/.test(file))
  .map((file) => ({ file: file.slice(CONSOLE.length), text: readFileSync(join(root, file), "utf8") }));

function countCasts(file: string, text: string): number {
  let count = 0;
  new Visitor({
    TSAsExpression({ typeAnnotation: { start, end } }) {
      if (text.slice(start, end) !== "const") count += 1;
    },
    TSNonNullExpression() {
      count += 1;
    },
  }).visit(parseSync(file, text).program);
  return count;
}

test("no type in the console is asserted but for a reason", () => {
  const counts = sources.map(({ file, text }) => [file, countCasts(file, text)] as const);
  const allowed = Object.entries(CASTS).map(([file, reasons]) => [file, reasons.length]);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(Object.fromEntries(allowed));
});

test("every call of the console has the types of the API's description", () => {
  const without = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(without(/\bparley\.request\(/)).toEqual(RUNTIME_PATHS);
  expect(without(/\bfetchData\b|\breadAnswer\b/)).toEqual(["shared/api/client.ts", "shared/api/upload.ts"]);
});
