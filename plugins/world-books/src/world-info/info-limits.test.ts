import { expect, test } from "vitest";
import { activate, constant, entry, type FileEntry, type Scene } from "./test-setup.ts";

/** Milliseconds of this thread's CPU for one activation, several times what it takes; other work on the machine does not count. */
const MOST_MS = 6_000;
/** The first letter becomes two characters when case is ignored, so that each position has to be mapped back. */
const LONG_TALK = `İ ${"the king walked on to the inn. ".repeat(3_000)}`;

const many = (count: number, toEntry: (at: number) => FileEntry) =>
  Array.from({ length: count }, (_, at) => toEntry(at));

type Row = readonly [what: string, entries: readonly FileEntry[], talk: string, count: number, scene: Scene];

test.each<Row>([
  ["names as keywords", many(1_000, (at) => entry(`n${at}`, `{{char}}${at}`)), LONG_TALK, 0, {}],
  [
    "keys in decorators",
    many(1_000, (at) => entry(`n${at}`, "king", { content: `@@exclude_keys qa${at},qb${at},qc\nx` })),
    LONG_TALK,
    1_000,
    {},
  ],
  [
    "one group, in each scan",
    [
      ...many(200, (at) => entry(`w${at}`, `w${at}`, { content: `w${at + 1}` })),
      ...many(4_500, (at) => constant(`n${at}`, { group: "g", content: "" })),
    ],
    "w0",
    100,
    { contextTokens: 1_000_000 },
  ],
])(
  "a book with thousands of entries does not block the service: %s",
  async (_, entries, talk, count, scene) => {
    const begun = process.threadCpuUsage();
    expect(await activate(entries, talk, scene)).toHaveLength(count);
    const { user, system } = process.threadCpuUsage(begun);
    expect((user + system) / 1_000).toBeLessThan(MOST_MS);
  },
  120_000,
);
