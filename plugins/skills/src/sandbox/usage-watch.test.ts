import { spawn, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { watchUsage } from "./usage-watch.ts";

const LIMITS = { memoryBytes: 128 * 1024 ** 2, processes: 8 };
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Ways to take memory, none of which needs more than a MiB besides; a fork resolves once its child has it. */
const PRELUDE = `
import mmap, os, signal
there, taken = os.pipe()
def own(mib):
  return [os.urandom(1 << 20) for _ in range(mib)]
def shared(mib):
  m = mmap.mmap(-1, mib << 20)
  for _ in range(mib): m.write(b'1' * (1 << 20))
  return m
def file(mib):
  f = os.memfd_create('x')
  for _ in range(mib): os.write(f, b'1' * (1 << 20))
  return f
def fork(take):
  if os.fork() == 0:
    held = take()
    os.write(taken, b'1')
    signal.pause()
  os.read(there, 1)
`;

const HUNGRY: readonly (readonly [how: string, program: string])[] = [
  ["memory of its own", "m = own(200)"],
  ["a map that it could share", "m = shared(200)"],
  ["maps of its children", "for _ in range(4): fork(lambda: shared(50))"],
  ["files of memory that nobody maps", "f = [file(10) for _ in range(20)]"],
  ["a file of memory that its child has open, too", "f = file(200)\nfork(lambda: 1)"],
];

/** Programs below the limit, which are above it where shared memory counts twice. */
const MODEST: readonly (readonly [how: string, program: string])[] = [
  ["memory that its children got with the fork", "m = own(60)\nfor _ in range(4): fork(lambda: 1)"],
  ["a map that its children share", "m = shared(60)\nfor _ in range(4): fork(lambda: 1)"],
  ["a file of memory that its children have open, too", "f = file(60)\nfor _ in range(4): fork(lambda: 1)"],
];

function watch(program: string): Promise<string> {
  const child = spawn("python3", ["-c", `${PRELUDE}\n${program}\nprint('ready', flush=True)\nsignal.pause()`], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  const usage = watchUsage(child.pid, LIMITS, resolve);
  // By then the usage was checked several times with all of the memory.
  child.stdout.once("data", () => setTimeout(() => resolve("fits"), 1_000));
  return promise.finally(() => {
    usage.stop();
    process.kill(-(child.pid ?? 0), "SIGKILL");
  });
}

test.runIf(hasPython).each(HUNGRY)(
  "a program with high usage in %s is detected",
  { timeout: 60_000 },
  async (_how, program) => {
    expect(await watch(program)).toBe("memory");
  },
);

test.runIf(hasPython).each(MODEST)(
  "a program with low usage in %s continues",
  { timeout: 60_000 },
  async (_how, program) => {
    expect(await watch(program)).toBe("fits");
  },
);
