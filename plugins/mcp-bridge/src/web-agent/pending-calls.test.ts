import { AppError, type SecretBox } from "@parley/core";
import { createMemoryWindow } from "@parley/core/limits";
import { createTestClock } from "@parley/testing";
import { expect, test } from "vitest";
import { createPendingCalls } from "./pending-calls.ts";

/** As short as the real sealed text, and as strict. */
const box: SecretBox = {
  seal: (secret, owner) => `${secret}.${owner.slice(0, 12)}`,
  open(sealed, owner) {
    const [secret = "", of] = sealed.split(".");
    if (of !== owner.slice(0, 12)) throw new AppError("unavailable", "cannot be opened");
    return secret;
  },
};

/** Simulates two processes with one key and shared used ids. */
function createTwoProcesses() {
  const clock = createTestClock(Date.parse("2026-01-01T00:00:00.000Z"));
  const window = createMemoryWindow(300_000, () => clock.monotonic());
  const start = () => createPendingCalls({ box: () => box, usedIds: () => window, clock });
  return { clock, one: start(), other: start() };
}

test("a call approved at one process runs at any, once, and with the same arguments", async () => {
  const { one, other } = createTwoProcesses();
  const { confirm_id } = one.open("ann", "remove", { a: 1, b: 2 });
  for (const [account, tool, args] of [
    ["bob", "remove", { a: 1, b: 2 }],
    ["ann", "add", { a: 1, b: 2 }],
    ["ann", "remove", { a: 2, b: 2 }],
  ] as const)
    await expect(other.redeem(confirm_id, account, tool, args)).rejects.toMatchObject({ code: "conflict" });
  await other.redeem(confirm_id, "ann", "remove", { b: 2, a: 1 });
  await expect(one.redeem(confirm_id, "ann", "remove", { a: 1, b: 2 })).rejects.toMatchObject({ code: "conflict" });
});

test("an approval is valid for five minutes, and a forged one never", async () => {
  const { clock, one } = createTwoProcesses();
  const { confirm_id } = one.open("ann", "remove", {});
  clock.advance(300_001);
  for (const id of [confirm_id, "cfm_x", "else", ""])
    await expect(one.redeem(id, "ann", "remove", {})).rejects.toMatchObject({ code: "conflict" });
});
