import { join } from "node:path";
import { startReceiver } from "@parley/simulators";
import { type TortureOptions, tortureAdapter } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { serviceCommand } from "../harness/process.ts";

const WITHIN_MS = 150_000;

/** Tests a channel that is correct except for one mistake. */
const carelessly = (mistake: string, options: Partial<TortureOptions> = {}) =>
  tortureAdapter({
    plugins: { careless: join(import.meta.dirname, "careless-adapter.ts") },
    type: "careless",
    command: serviceCommand(),
    async start({ webhook: url }) {
      const platform = await startReceiver();
      platform.useWebhook({ url, headers: {} });
      return { platform, config: { address: platform.address, mistake } };
    },
    ...options,
  });

describe("an adapter whose service is killed during conversations", () => {
  test("answers every message once and in order when it follows the guide", { timeout: WITHIN_MS }, async () => {
    const result = await carelessly("", { kills: 3 });
    const wrong = { lost: [], twice: [], outOfOrder: [], inDoubt: [] };
    expect(result).toEqual({ seed: 1, kills: ["leased@3", "reply-recorded@2", "sent@3"], said: 18, ...wrong });
  });

  // The first kill of each seed reveals the mistake. The slowest one runs only in the long form.
  const mistakes = [
    ["forgets-ids", 25, "twice"],
    ["sends-anew", 13, "twice"],
    ["thanks-too-early", 38, "lost"],
  ] as const;
  test.each(process.env.PARLEY_LONG === undefined ? mistakes.slice(0, 2) : mistakes)(
    "is detected: %s",
    { timeout: WITHIN_MS },
    async (mistake, seed, seen) => {
      const result = await carelessly(mistake, { seed, kills: 1 });
      expect(result[seen]).not.toEqual([]);
    },
  );
});
