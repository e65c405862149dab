import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Round {
  /** Kinds of timers, sockets and threads while the service ran, and after it stopped. */
  readonly used: readonly string[];
  readonly left: readonly string[];
}

test("a stopped service leaves no timer, socket or thread, however often it ran", async () => {
  const program = join(import.meta.dirname, "leaked-handles-rounds.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@parley/source", program]);
  const rounds: readonly Round[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rounds).toHaveLength(3);
  for (const { used, left } of rounds) {
    expect(new Set(used)).toEqual(new Set(["Timeout", "TCPServerWrap", "TCPSocketWrap", "MessagePort"]));
    expect(left).toEqual([]);
  }
});
