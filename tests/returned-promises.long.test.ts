import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error A script without declarations.
import { returnedUnawaited } from "../.config/returned-promises.mjs";

const root = dirname(import.meta.dirname);
const FOLDERS = "{core,host,plugins/*,adapters/*,examples/*,host/*,tests}/**/*.{ts,tsx}";
const HOLDS = /\busing \w+ =|\btry \{/;

const found = (files: readonly string[]): readonly string[] => returnedUnawaited(files);

test("work that needs a file, a folder or a lock is awaited before that is closed", { timeout: 120_000 }, () => {
  const ours = globSync(FOLDERS, { cwd: root })
    .filter((file) => !/node_modules|(^|\/)dist\/|\.d\.ts$/.test(file))
    .map((file) => join(root, file))
    .filter((file) => HOLDS.test(readFileSync(file, "utf8")));
  expect(ours.length).toBeGreaterThan(300);
  expect(found(ours).map((one) => relative(root, one))).toEqual([]);
});

/** The first two functions return a promise that nobody awaits. */
const FUNCTIONS = `
type Open = () => Promise<AsyncDisposable>;
type Read = () => Promise<string>;
export async function closedTooEarly(open: Open, read: Read) {
  await using _file = await open();
  return read();
}
export async function notCaught(read: Read) {
  try {
    return read();
  } catch {
    return "";
  }
}
export async function closedAfter(open: Open, read: Read) {
  await using _file = await open();
  return await read();
}
export async function nothingHeld(open: Open, read: Read) {
  {
    await using _file = await open();
  }
  return read();
}
export async function elsewhere(open: Open, read: Read) {
  await using _file = await open();
  return [1, 2].map(() => {
    return "".concat("");
  });
}
`;

test("a promise returned from a closed scope, or past its error handler, is found", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-returned-"));
  try {
    const file = join(folder, "functions.ts");
    writeFileSync(file, FUNCTIONS);
    expect(found([file]).map((one) => relative(folder, one))).toEqual([
      "functions.ts:6 using return read();",
      "functions.ts:10 try return read();",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
