import { test } from "vitest";
import { expectOnlyKnown } from "../known-failures.ts";

/** One attack: its description, and a function that throws when the attack succeeds. */
export type Attack = readonly [what: string, run: () => Promise<void>];

/** The outcome of a group. */
export interface GroupOutcome {
  readonly tried: number;
  readonly broke: readonly string[];
}

declare module "vitest" {
  interface TaskMeta {
    attacks?: GroupOutcome;
  }
}

/** Runs all attacks of a group, continuing after a successful one, and fails with the names of all that succeeded. */
export function attackGroup(name: string, attacks: () => readonly Attack[]): void {
  test(name, { timeout: 60_000 }, async ({ task }) => {
    const tried: string[] = [];
    const broke: Record<string, string> = {};
    for (const [what, run] of attacks()) {
      tried.push(`${name}: ${what}`);
      await run().catch((error: Error) => {
        broke[`${name}: ${what}`] = error.message;
      });
    }
    task.meta.attacks = { tried: tried.length, broke: Object.keys(broke) };
    expectOnlyKnown(tried, broke);
  });
}
