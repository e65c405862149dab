import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SandboxRun, systemClock } from "@parley/core";
import { writeArchive } from "@parley/core/archive";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createConverter } from "./converter.ts";
import { createSoffice, type RunSoffice } from "./soffice.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-converter-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const slides = (words: string) => writeArchive([{ name: "ppt/presentation.xml", bytes: Buffer.from(words) }]);
const patient = () => new AbortController().signal;

test("two presentations are converted at once; the next waits for a limited time, and is then asked to come again", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let running = 0;
  const run: RunSoffice = async (work) => {
    running += 1;
    await released;
    await mkdir(join(work, "out"));
    await writeFile(join(work, "out", "in.pdf"), "%PDF-1.7");
  };
  const converter = createConverter({ folder, clock: systemClock, run, waitMs: 20 });
  await converter.start();
  const first = [await slides("1"), await slides("2")].map((one) => converter.pptxToPdf(one, patient()));
  await expect(converter.pptxToPdf(await slides("3"), patient())).rejects.toMatchObject({
    code: "unavailable",
    retryAfterS: 60,
  });
  expect(running).toBe(2);
  release();
  expect((await Promise.all(first)).map(({ size }) => size)).toEqual([8, 8]);
  await converter.pptxToPdf(await slides("3"), patient());
  expect(readdirSync(folder).filter((name) => name.startsWith("work-"))).toEqual([]);
});

describe("LibreOffice", () => {
  const sandbox = () => undefined;
  const program = (script: string) => {
    const path = join(folder, "soffice");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const soffice = (command: string, limitMs: number) =>
    createSoffice({ command, canUseNetwork: true, path: process.env.PATH ?? "", limitMs, sandbox, uid: 1_000 });

  test("that takes too long is ended with all its child processes", async () => {
    const run = soffice(program("sleep 600 & sleep 600"), 100);
    await expect(run(folder, "in.pptx")).rejects.toMatchObject({ code: "timed_out" });
  });

  test("that is not installed is reported as missing", async () => {
    const run = createSoffice({ command: "", canUseNetwork: true, path: folder, sandbox });
    await expect(run(folder, "in.pptx")).rejects.toMatchObject({ code: "unavailable" });
    await expect(soffice(join(folder, "elsewhere"), 100)(folder, "in.pptx")).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  test("runs as root only when the operator configured it", async () => {
    const command = program("exit 0");
    const options = { canUseNetwork: true, path: `${folder}:/usr/bin:/bin`, sandbox, uid: 0 };
    await expect(createSoffice({ ...options, command: "" })(folder, "in.pptx")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("root"),
    });
    await expect(createSoffice({ ...options, command })(folder, "in.pptx")).resolves.toBeUndefined();
  });

  test("runs in the sandbox, where it sees its own folder and no other data", async () => {
    const runs: SandboxRun[] = [];
    const apart = {
      run: async (one: SandboxRun) => {
        runs.push(one);
        return { exit_code: 0, output: "", truncated: false };
      },
    };
    const command = program("exit 1");
    const run = createSoffice({ command, canUseNetwork: false, path: "", sandbox: () => apart, uid: 1_000 });
    await run(folder, "in.pptx");
    expect(runs.map(({ command: [first] }) => first)).toEqual(["true", "env"]);
    expect(runs[1]).toMatchObject({ folder, at: "/work", isWritable: true });
    expect(runs[1]?.command).toContain("/work/in.pptx");
    for (const path of runs[1]?.visible ?? []) expect(path.split("/").length).toBeGreaterThan(2);
  });

  test("that fails is reported as failed", async () => {
    await expect(soffice(program("exit 7"), 5_000)(folder, "in.pptx")).rejects.toMatchObject({
      code: "upstream_failed",
    });
  });
});
