import { expect, test } from "vitest";
import { findPostgresPrograms } from "../harness/servers/postgres.ts";
import { DISRUPTIONS, type Disruption, tortureNodes } from "./nodes.ts";

const programs = findPostgresPrograms();
/** The short form; `pnpm torture --nodes` does all of them. */
const SHORT: readonly Disruption[] = [
  { kind: "deploy", node: 1 },
  { kind: "pause", seconds: 12 },
];

test.skipIf(!programs)(
  "of three nodes each may be killed, stopped or stand still, and their server end: nothing is lost, nothing twice, all in order",
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
