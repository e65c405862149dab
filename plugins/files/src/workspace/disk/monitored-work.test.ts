import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Folder, openFolder } from "./folders.ts";
import { runMonitored } from "./monitored-work.ts";
import { WORKSPACE_LIMITS } from "./quota.ts";

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "parley-work-"));
});
afterEach(() => rmSync(path, { recursive: true }));

test("a folder is no longer monitored when the work in it is finished", async () => {
  const large = join(path, "large");
  for (let at = 0; at < 2_000; at += 1) mkdirSync(join(large, `folder-${at}`), { recursive: true });
  const small = join(path, "small");
  mkdirSync(small);
  let looks = 0;
  let begun: (() => void) | undefined;
  const folder: Folder = {
    // The last check takes longer than the work that follows it.
    get path() {
      looks += 1;
      if (!begun) return small;
      begun();
      begun = undefined;
      return large;
    },
    [Symbol.asyncDispose]: async () => {},
  };
  await runMonitored(folder, WORKSPACE_LIMITS, new AbortController().signal, () => {
    return new Promise<void>((resolve) => {
      begun = resolve;
    });
  });
  const before = looks;
  for (let turn = 0; turn < 2_000; turn += 1) await setImmediate();
  expect(looks).toBe(before);
});

test("work is ended when the folder exceeds its limit", async () => {
  await using folder = await openFolder(path);
  if (!folder) throw new Error("the folder is not there");
  const limits = { ...WORKSPACE_LIMITS, files: 1 };
  const working = runMonitored(folder, limits, new AbortController().signal, async (signal) => {
    for (const name of ["one", "two"]) writeFileSync(join(path, name), "x");
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  await expect(working).rejects.toMatchObject({ code: "conflict", message: "the workspace is full" });
});
