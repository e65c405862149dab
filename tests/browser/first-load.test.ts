import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const built = join(import.meta.dirname, "..", "..", "adapters", "web", "dist", "console");
const MOST_KB = 200;

/** The files that a browser fetches to show the console: those of the page, what they import at once, and the font of its letters. */
function firstLoad(): ReadonlyMap<string, number> {
  const page = readFileSync(join(built, "index.html"), "utf8");
  const sizes = new Map<string, number>([["index.html", gzipSync(page).length]]);
  const open = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => String(name));
  for (const name of open) {
    if (sizes.has(name)) continue;
    const content = readFileSync(join(built, name), "utf8");
    sizes.set(name, gzipSync(content).length);
    for (const [, next] of content.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) open.push(`assets/${next}`);
  }
  // Of the font's parts a browser takes those whose letters are on the page; woff2 is compressed already.
  for (const [name] of [...sizes].filter(([file]) => file.endsWith(".css"))) {
    const sheet = readFileSync(join(built, name), "utf8");
    for (const [, font] of sheet.matchAll(/url\(\/(assets\/[^)]+-latin-wght-normal-[^)]+\.woff2)\)/g)) {
      sizes.set(String(font), readFileSync(join(built, String(font))).length);
    }
  }
  return sizes;
}

describe("the first load of the console", () => {
  it(`is at most ${MOST_KB} kB, compressed`, () => {
    const files = firstLoad();
    const total = files.values().reduce((sum, size) => sum + size, 0);
    expect(files.size).toBeGreaterThan(2);
    expect([...files.keys()].filter((name) => name.endsWith(".woff2"))).toHaveLength(1);
    expect(total / 1000, JSON.stringify(Object.fromEntries(files), undefined, 1)).toBeLessThanOrEqual(MOST_KB);
  });
});
