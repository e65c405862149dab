import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listConsolePages } from "./console-pages.ts";

const areas = join(dirname(import.meta.dirname), "console", "src", "areas");

test("the pages that areas may name are those that the console registers", () => {
  const ids = listConsolePages().map((folder) => {
    const text = readFileSync(join(areas, folder, "area.ts"), "utf8");
    return /\bid: "([a-z-]+)"/.exec(text)?.[1];
  });
  expect(ids).toContain("conversations");
  expect(ids).toEqual(listConsolePages());
});

test("without source files they are read from the built console, and there are none without a build", () => {
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
