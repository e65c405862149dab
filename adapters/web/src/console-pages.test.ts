import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONSOLE_PAGES } from "./console-pages.ts";

const areas = join(import.meta.dirname, "..", "console", "src", "areas");

test("the pages that areas may name are those that the console has", () => {
  const ids = readdirSync(areas).map((folder) => {
    const text = readFileSync(join(areas, folder, "area.ts"), "utf8");
    return /\bid: "([a-z-]+)"/.exec(text)?.[1];
  });
  expect(CONSOLE_PAGES).toEqual(ids.toSorted());
});
