import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { SandboxRun } from "@parley/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { buildScriptCommand, createSandbox } from "./sandbox.ts";

const path = process.env.PATH ?? "";
const isRoot = process.getuid?.() === 0;
const hasSandbox = !isRoot && path.split(delimiter).some((folder) => existsSync(join(folder, "bwrap")));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-sandbox-"));
  chmodSync(folder, 0o700);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const run = (command: readonly string[], more: Partial<SandboxRun> = {}) =>
  createSandbox(path).run({
    folder,
    at: "/workspace",
    isWritable: true,
    command,
    limitMs: 30_000,
    signal: new AbortController().signal,
    ...more,
  });

test.each(["getuid", "geteuid"] as const)("nothing is run as root, and the reason is given: %s", async (name) => {
  if (!isRoot) vi.spyOn(process as Required<typeof process>, name).mockReturnValue(0);
  await expect(run(["sh", "-c", "echo ran > /workspace/mark"])).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("root"),
  });
  expect(existsSync(join(folder, "mark"))).toBe(false);
});

describe.runIf(hasSandbox)("a sandboxed program", { timeout: 60_000 }, () => {
  test("cannot change the system, and stores nothing outside its folder", async () => {
    const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    const places = ["/proc/sys/kernel/core_pattern", "/dev/x", "/x", "/run/x", "/usr/x", "/proc/sysrq-trigger"];
    const tries = places.map((place) => `echo x > ${place} && echo written`).join("; ");
    const { output } = await run(["sh", "-c", `${tries}; grep CapEff /proc/self/status; unshare -Ur sh -c '${tries}'`]);
    expect(output).not.toMatch(/^written$/m);
    expect(output).toMatch(/CapEff:\s+0+$/m);
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
  });

  test("sees the service's own program and nothing else in the folders around it", async () => {
    const { command, addressBytes } = buildScriptCommand("x.cjs", "/workspace", []);
    const { output } = await run([command[0] ?? "", "-e", "console.log(process.version)"], {
      addressBytes: addressBytes ?? 0,
    });
    expect(output.trim()).toBe(process.version);
    const listed = await run(["sh", "-c", `ls ${join(process.execPath, "..", "..")} /run /`]);
    if (!process.execPath.startsWith("/usr/")) expect(listed.output).toContain("No such file");
    expect(listed.output.split("\n")).not.toEqual(expect.arrayContaining(["home", "root", "var", "srv", "opt"]));
  });

  test("that exceeds the memory limit of its processes is ended", async () => {
    const hungry =
      "import os,time\nfor i in range(4):\n  if os.fork()==0:\n    b=b'1'*60000000\n    time.sleep(20)\n    os._exit(0)\ntime.sleep(20)";
    await expect(run(["python3", "-c", hungry], { memoryBytes: 128 * 1024 ** 2 })).rejects.toMatchObject({
      code: "too_large",
    });
  });

  test("starts no more than 64 processes", async () => {
    const forks =
      "import os,time\nn=0\ntry:\n  while n<600:\n    if os.fork()==0: time.sleep(5); os._exit(0)\n    n+=1\nexcept OSError: pass\nprint('forked',n)";
    const ended = await run(["python3", "-c", forks]).catch((error: Error) => ({ output: error.message }));
    expect(ended.output).toMatch(/forked (\d|[1-5]\d|6[0-4])$|too many processes/m);
  });

  test("fills no memory through temporary files", async () => {
    const { output } = await run([
      "sh",
      "-c",
      "for i in $(seq 12); do head -c 15000000 /dev/zero > /tmp/$i || echo full; done",
    ]);
    expect(output).toContain("full");
  });
});
