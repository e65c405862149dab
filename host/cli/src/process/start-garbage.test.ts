import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Measures the garbage of a start in a separate process, because V8 returns memory only when idle. */
const PROGRAM = `
  const { collectStartGarbage } = await import(process.argv[1]);
  const retained = Array.from({ length: 20_000 }, (_, at) => ({ at }));
  const gone = new WeakRef({ of: "the start" });
  (() => {
    let waste = [];
    for (let at = 0; at < 2_000_000; at += 1) waste.push({ at, text: "x" + at });
    waste = undefined;
  })();
  // Objects of the current turn may still be referenced until it ends.
  await new Promise((resolve) => setImmediate(resolve));
  const before = process.memoryUsage();
  collectStartGarbage();
  const after = process.memoryUsage();
  console.log(JSON.stringify({
    before: before.heapTotal, after: after.heapTotal,
    retained: retained.at(-1).at, isGone: gone.deref() === undefined, canCollect: typeof globalThis.gc,
  }));
`;

test("memory that only the start needed is returned to the system, and used memory stays", () => {
  const file = join(import.meta.dirname, "start-garbage.ts");
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", PROGRAM, file], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  expect(stderr).toBe("");
  const { before, after, retained, isGone, canCollect } = JSON.parse(stdout);
  // Two million objects; the exact size depends on how many of them V8 has already collected.
  expect(before).toBeGreaterThan(40 * 1024 * 1024);
  expect(after).toBeLessThan(before / 2);
  expect(after).toBeLessThan(25 * 1024 * 1024);
  expect(isGone).toBe(true);
  expect(retained).toBe(19_999);
  // No other code may get the function that collects garbage, because it blocks the service.
  expect(canCollect).toBe("undefined");
});
