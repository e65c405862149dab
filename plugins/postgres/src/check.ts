import type { Check, Finding } from "@parley/core";
import { SLOW_MS } from "./connection/round-trips.ts";
import { postgresTexts } from "./texts.ts";

export interface DatabaseCheckDeps {
  /** Throws when the variable with the address is missing or holds no address. */
  readAddress(): unknown;
  /** Returns the server's round trip in milliseconds; throws with the reason why it cannot be used. */
  examineServer(): Promise<number>;
  /** Returns the round trip of the running service in milliseconds; undefined when unknown. */
  getRoundTripMs(): number | undefined;
}

/** Checks that the database can be used, and its latency. */
export function createDatabaseCheck({ readAddress, examineServer: examine, getRoundTripMs }: DatabaseCheckDeps): Check {
  return {
    id: "storage",
    beforeStart: () => void readAddress(),
    // Only latency is checked here: the probe reports failing writes of a running service.
    run: async () => toSlowFinding(getRoundTripMs()),
    async elsewhere() {
      const found = await examine().catch((error: Error) => error.message);
      if (typeof found === "number") return toSlowFinding(found);
      const reason = found;
      const message = postgresTexts.localized("finding_failing", { reason });
      const advice = postgresTexts.localized("finding_failing_advice");
      return [{ key: "storage.failing", level: "problem", said: message, advice, parameters: { reason } }];
    },
  };
}

function toSlowFinding(roundTripMs: number | undefined): readonly Finding[] {
  if (roundTripMs === undefined || roundTripMs <= SLOW_MS) return [];
  const ms = Math.round(roundTripMs);
  return [
    {
      key: "storage.far",
      level: "warning",
      said: postgresTexts.localized("finding_slow", { ms, limit: SLOW_MS }),
      advice: postgresTexts.localized("finding_slow_advice"),
      parameters: { ms },
    },
  ];
}
