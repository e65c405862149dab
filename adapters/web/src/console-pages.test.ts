import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listConsolePages } from "./console-pages.ts";

const areas = join(dirname(import.meta.dirname), "console", "src", "areas");

test("the pages that areas may name are those that the console has, by the names they give themselves", () => {
  const ids = listConsolePages().map((folder) => {
    const text = readFileSync(join(areas, folder, "area.ts"), "utf8");
    return /\bid: "([a-z-]+)"/.exec(text)?.[1];
  });
  expect(ids).toContain("conversations");
  expect(ids).toEqual(listConsolePages());
});

test("where the sources are not, they are those of the built console, and none where nothing was built", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-pages-"));
  try {
    expect(listConsolePages(folder)).toEqual([]);
    mkdirSync(join(folder, "dist", "console"), { recursive: true });
    writeFileSync(join(folder, "dist", "console", "pages.json"), '["models"]');
    expect(listConsolePages(folder)).toEqual(["models"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
