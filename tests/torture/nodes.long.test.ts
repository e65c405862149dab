import { expect, test } from "vitest";
import { findPostgresPrograms } from "../harness/servers/postgres.ts";
import { DISRUPTIONS, type Disruption, tortureNodes } from "./nodes.ts";

const programs = findPostgresPrograms();
/** Disruptions of the short form; `pnpm torture --nodes` runs all of them. */
const SHORT: readonly Disruption[] = [
  { kind: "deploy", node: 1 },
  { kind: "pause", seconds: 12 },
];

test.skipIf(!programs)(
  "three nodes and their server survive kills, stops and pauses: no loss, no duplicates, everything in order",
  async () => {
    const blows = process.env.PARLEY_LONG === "1" ? DISRUPTIONS : SHORT;
    const { problems, silences, messageCount } = await tortureNodes(programs ?? "", blows);
    for (const { blow, ms } of silences)
      process.stderr.write(`${JSON.stringify(blow)}: all channels answer after ${ms} ms\n`);
    expect(problems).toEqual([]);
    expect(messageCount).toBeGreaterThan(30);
  },
  300_000,
);
