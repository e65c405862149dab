import { expect, test } from "vitest";
import { postgresPrograms } from "../harness/postgres.ts";
import { BLOWS, type Blow, tortureNodes } from "./nodes.ts";

const programs = postgresPrograms();
/** The short form; `pnpm torture --nodes` does all of them. */
const SHORT: readonly Blow[] = [
  { kind: "deploy", node: 1 },
  { kind: "pause", seconds: 12 },
];

test.skipIf(!programs)(
  "of three nodes each may be killed, stopped or stand still, and their server end: nothing is lost, nothing twice, all in order",
  async () => {
    const blows = process.env.PARLEY_LONG === "1" ? BLOWS : SHORT;
    const { problems, silences, said } = await tortureNodes(programs ?? "", blows);
    for (const { blow, ms } of silences)
      process.stderr.write(`${JSON.stringify(blow)}: all channels answer after ${ms} ms\n`);
    expect(problems).toEqual([]);
    expect(said).toBeGreaterThan(30);
  },
  300_000,
);
