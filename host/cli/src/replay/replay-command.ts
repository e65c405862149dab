import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AppError } from "@parley/core";
import { type Flags, StartError } from "@parley/host";
import { makeFolder } from "@parley/host/tooling";
import { readTurn, replayTurn } from "./replay.ts";
import { createReplayReport } from "./replay-report.ts";
import { createTestFile } from "./replay-test-file.ts";

export interface ReplayCommandOptions {
  readonly traceId: string;
  readonly flags: Flags;
  /** Folder for the test file; true for the working directory. */
  readonly test: string | true | undefined;
  print(line: string): void;
}

/** Replays a turn and prints the comparison. Returns the exit code: 0 equal, 1 different, 2 not replayable. */
export async function runReplay({ traceId, flags, test, print }: ReplayCommandOptions): Promise<number> {
  try {
    const record = await readTurn(traceId, { flags });
    const replayed = await replayTurn(record, { flags });
    if (replayed.unanswered.length > 0) {
      const asked = replayed.unanswered.map((call) => `'${call}'`).join(", ");
      throw new AppError("unavailable", `it asks now for what was not recorded: ${asked}`);
    }
    const { lines, isEqual } = createReplayReport(record, replayed);
    for (const line of lines) print(line);
    if (test !== undefined) {
      const folder = resolve(test === true ? "." : test);
      makeFolder(folder);
      const file = join(folder, `replay-${traceId}.test.ts`);
      writeFileSync(file, createTestFile({ folder, root: resolve("."), flags, record, replayed }));
      print(`written: ${file}`);
    }
    return isEqual ? 0 : 1;
  } catch (error) {
    const reasons = error instanceof StartError ? error.problems : AppError.is(error) ? [error.message] : undefined;
    if (!reasons) throw error;
    for (const reason of reasons) process.stderr.write(`${traceId} cannot be replayed: ${reason}\n`);
    return 2;
  }
}
