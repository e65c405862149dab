import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const read = (pattern: string) => globSync(pattern, { cwd: root }).map((path) => [path, text(path)] as const);
const text = (path: string) => readFileSync(join(root, path), "utf8");

/** Classes of CodeMirror and highlight.js, which the console does not name. */
const FOREIGN = /^(cm|hljs)-/;

test("every class that a page test selects exists in the console", () => {
  const known = new Set(
    read("adapters/web/console/src/**/*.module.css").flatMap(([path, css]) => toClassNames(path, css)),
  );
  const sought = read("tests/browser/*.ts").flatMap(([path, source]) =>
    findClassesInSelectors(source).map((name) => ({ path, name })),
  );
  expect(sought.length).toBeGreaterThan(20);
  expect(sought.filter(({ name }) => !known.has(name) && !FOREIGN.test(name))).toEqual([]);
});

/** Returns the names that vite.config.ts gives to the classes of a file. */
function toClassNames(path: string, css: string): readonly string[] {
  const file = basename(path, ".module.css");
  return [...css.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => `${file}_${name}`);
}

/** Returns the classes in the selectors of `locator` and `querySelector`. */
function findClassesInSelectors(source: string): readonly string[] {
  const selectors = [...source.matchAll(/(?:locator|querySelector(?:All)?)\(\s*(["'`])(.*?)\1/gs)];
  return selectors.flatMap(([, , selector = ""]) => {
    const withoutValues = selector.replaceAll(/\[[^\]]*\]/g, "");
    return [...withoutValues.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = ""]) => name);
  });
}
