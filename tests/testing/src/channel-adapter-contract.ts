import { afterAll, describe, test } from "vitest";
import type { MakeCase } from "./channel-contract/case.ts";
import type { Check } from "./channel-contract/check.ts";
import { elements } from "./channel-contract/elements.ts";
import { files } from "./channel-contract/files.ts";
import { identity } from "./channel-contract/identity.ts";
import { groups, inbound } from "./channel-contract/inbound.ts";
import { lifecycle } from "./channel-contract/lifecycle.ts";
import { failures, outbound } from "./channel-contract/outbound.ts";
import { rateLimits } from "./channel-contract/rate-limits.ts";
import { acknowledgement, redelivery } from "./channel-contract/redelivery.ts";
import { type Scene, withScene } from "./channel-contract/scene.ts";
import { splitting } from "./channel-contract/splitting.ts";
import { unknownOutcome } from "./channel-contract/unknown-outcome.ts";
import { verification } from "./channel-contract/verification.ts";
import { withTimeout } from "./channel-contract/wait.ts";

export type { ChannelAdapterCase, FakePlatform, MakeCase, PlatformFault } from "./channel-contract/case.ts";

/** All checks of an adapter, by chapter. */
export const CHANNEL_ADAPTER_CHECKS: readonly Check[] = [
  ...identity,
  ...verification,
  ...inbound,
  ...groups,
  ...redelivery,
  ...acknowledgement,
  ...outbound,
  ...splitting,
  ...rateLimits,
  ...files,
  ...elements,
  ...failures,
  ...unknownOutcome,
  ...lifecycle,
];

/** Maximum milliseconds of one check: longer than the pauses of an adapter that reconnects as documented. */
const CHECK_BUDGET_MS = 45_000;
/** Timeout of a check, shorter than the test runner's, so that its message is reported. */
const CHECK_TIMEOUT_MS = 60_000;

/**
 * Runs one check outside a test runner. Throws the finding as a sentence that begins with the check's name; returns
 * the reason when the check does not apply.
 */
export async function runChannelCheck(check: Check, make: MakeCase): Promise<string | undefined> {
  let reason: string | undefined;
  try {
    await withScene(make, async (scene) => {
      reason = check.skipped?.(scene.given) ?? (await findMissingParts(check, scene)) ?? (await check.applies?.(scene));
      if (reason !== undefined) return;
      const outcome = await withTimeout(check.run(scene), "it did not end", CHECK_BUDGET_MS);
      if (typeof outcome === "string") reason = outcome;
    });
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    throw new Error(`"${check.name}" does not hold: ${finding}`, { cause: error });
  }
  return reason;
}

/**
 * Tests that every adapter must pass. Call it at the top level of the adapter's test; `make` creates a fresh case for each check. Checks
 * that need a feature the case does not simulate are skipped, and listed in the table at the end.
 */
export function channelAdapterContract(name: string, make: MakeCase): void {
  describe(`${name}: the channel adapter contract`, () => {
    const results = new Map<string, { passed: number; failed: number; skipped: number }>();
    for (const chapter of new Set(CHANNEL_ADAPTER_CHECKS.map((check) => check.chapter))) {
      const result = { passed: 0, failed: 0, skipped: 0 };
      results.set(chapter, result);
      describe(chapter, () => {
        for (const check of CHANNEL_ADAPTER_CHECKS.filter((one) => one.chapter === chapter)) {
          test(check.name, { timeout: CHECK_TIMEOUT_MS }, async ({ skip }) => {
            result.failed += 1;
            const reason = await runChannelCheck(check, make);
            result.failed -= 1;
            if (reason === undefined) result.passed += 1;
            else {
              result.skipped += 1;
              skip(reason);
            }
          });
        }
      });
    }
    // Printed to stdout after the runner's own lines, where readers look first.
    afterAll(() => void process.stdout.write(`${formatTable(name, results)}\n`));
  });
}

async function findMissingParts(
  { needs = [], faults = [] }: Check,
  { given, look }: Scene,
): Promise<string | undefined> {
  if (needs.length === 0) return undefined;
  const { platform } = await look();
  const absent: readonly string[] = [
    ...needs.filter((part) => platform[part] === undefined).map(String),
    ...faults.filter((one) => given.faults && !given.faults.includes(one)),
  ];
  return absent.length > 0 ? `the test's platform does not play ${absent.join(", ")}` : undefined;
}

function formatTable(
  name: string,
  results: ReadonlyMap<string, { passed: number; failed: number; skipped: number }>,
): string {
  const rows = [...results].map(([chapter, { passed, failed, skipped }]) =>
    [chapter.padEnd(18), String(passed).padStart(6), String(failed).padStart(6), String(skipped).padStart(7)].join(" "),
  );
  return [`${name}`, `${"chapter".padEnd(18)} passed failed skipped`, ...rows].join("\n");
}
