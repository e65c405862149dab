import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as core from "@parley/core";
import { expect, test } from "vitest";

const root = dirname(import.meta.dirname);
const read = (file: string) => readFileSync(join(root, file), "utf8");
const readme = read("core/README.md");
const reference = read("core/reference.md");
/** Returns true for pages of this repository; templates belong to the packages created from them. */
const isOurs = (file: string) => !/node_modules|[/]dist[/]|[/]templates[/]|CHANGELOG/.test(file);
const pages = [
  ...["*.md", ".github/**/*.md"].flatMap((pattern) => globSync(pattern, { cwd: root })),
  ...globSync("{core,host,plugins,adapters,examples,tests}/**/*.md", {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  }),
].filter(isOurs);

test("core's README names every extension point of the contract", () => {
  const [, points = ""] = /### Extension points\n([\s\S]*?)\n### /.exec(reference) ?? [];
  const names = [...points.matchAll(/^- `(\w+)`/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(Object.keys(core)).toContain(name);
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

test("links of pages exist, and the rows of the API that they name are served", () => {
  expect(pages.length).toBeGreaterThan(40);
  const rows = read("adapters/web/client/src/generated/schema.ts");
  const missing = pages.flatMap((page) => {
    const text = read(page);
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
    const broken = links.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(root, dirname(page), link)));
    const named = [...text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/{}.-]*\w}?)/g)].map(
      ([, row = ""]) => row,
    );
    const unserved = named.filter((row) => !rows.includes(`"${row}`));
    return [...broken, ...unserved].map((one) => `${page}: ${one}`);
  });
  expect(missing).toEqual([]);
});

test("the source files that the pages for developers name are there", () => {
  const named = (page: string, from: string, pattern: RegExp) =>
    [...read(page).matchAll(pattern)]
      .map(([, file = ""]) => file)
      .filter((file) => !existsSync(join(root, from, file)))
      .map((file) => `${page}: ${file}`);
  const full = /(?<![\w/@.-])((?:core|host|plugins|adapters|examples|tests)\/[\w/.-]+\.(?:tsx?|mjs))(?!\w)/g;
  const guides = globSync(".github/**/*.md", { cwd: root });
  const readmes = globSync("{core,host,plugins/*,adapters/*}/README.md", { cwd: root });
  const missing = [
    ...guides.flatMap((page) => named(page, ".", full)),
    ...readmes.flatMap((page) => named(page, dirname(page), /`((?:console\/)?src\/[\w/.-]+\.tsx?)`/g)),
  ];
  expect(missing).toEqual([]);
  expect(readmes.filter((page) => !/Read first: (?:`(?:console\/)?src\/[^`]+`(?:, |\.)){3}/.test(read(page)))).toEqual(
    [],
  );
});
