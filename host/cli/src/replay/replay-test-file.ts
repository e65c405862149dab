import { relative, sep } from "node:path";
import type { Replayed, TurnRecord } from "@parley/core";
import type { Flags } from "@parley/host";

const OWN_PACKAGE = "@parley/cli";

export interface TestFileOptions {
  readonly folder: string;
  /** The service folder. */
  readonly root: string;
  readonly flags: Flags;
  readonly record: TurnRecord;
  /** Result of the replayed turn. */
  readonly replayed: Replayed;
}

/** Creates a test of one recorded turn; it passes while rules and plugins give the same result. */
export function createTestFile({ folder, root, flags, record, replayed }: TestFileOptions): string {
  const rootPath = relative(folder, root).split(sep).join("/");
  const { result: _result, ...turn } = record;
  return `import { fileURLToPath } from "node:url";
import { replayTurn } from "${OWN_PACKAGE}";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL(${JSON.stringify(rootPath === "" ? "./" : `${rootPath}/`)}, import.meta.url));

const result = ${formatJson(replayed.result)};

const turn = ${formatJson(turn)};

test(${JSON.stringify(`${record.traceId} comes to the same`)}, async () => {
  const flags = ${formatJson(flags)};
  const replayed = await replayTurn({ ...turn, result }, { root, flags });
  expect(replayed.unanswered).toEqual([]);
  expect(replayed.result).toEqual(result);
});
`;
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
