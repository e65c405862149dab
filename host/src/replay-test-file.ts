import { relative, sep } from "node:path";
import type { Replayed, TurnRecord } from "@parley/core";
import type { Flags } from "./configuration.ts";

const OWN_NAME = "@parley/host";

export interface TestFile {
  /** The folder it is written to. */
  readonly folder: string;
  /** The operator's folder. */
  readonly root: string;
  readonly flags: Flags;
  readonly record: TurnRecord;
  /** What the turn comes to now. */
  readonly replayed: Replayed;
}

/** A test of one recorded turn: it holds while the rules and plugins make the same of it as today. */
export function testFileOf({ folder, root, flags, record, replayed }: TestFile): string {
  const way = relative(folder, root).split(sep).join("/");
  const { result: _result, ...turn } = record;
  return `import { fileURLToPath } from "node:url";
import { replayTurn } from "${OWN_NAME}";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL(${JSON.stringify(way === "" ? "./" : `${way}/`)}, import.meta.url));

const result = ${json(replayed.result)};

const turn = ${json(turn)};

test(${JSON.stringify(`${record.traceId} comes to the same`)}, async () => {
  const flags = ${json(flags)};
  const replayed = await replayTurn({ ...turn, result }, { root, flags });
  expect(replayed.unanswered).toEqual([]);
  expect(replayed.result).toEqual(result);
});
`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
