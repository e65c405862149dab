import { silentLogger, systemClock } from "@parley/core";
import { recordedEvents } from "@parley/testing";
import { expect, test } from "vitest";
import type { Rule } from "./rule.ts";
import { createRuleHealth, type RuleHealth } from "./rule-health.ts";

const RULE = { id: "slow", pattern: "(a+)+b" } as Rule;

test("a rule that one process disables is disabled on all, until it is edited anywhere", () => {
  const parts = { log: silentLogger, events: recordedEvents(), clock: systemClock };
  const one: RuleHealth = createRuleHealth({
    ...parts,
    broadcast: (news) => other.receive(JSON.parse(JSON.stringify(news))),
  });
  const other: RuleHealth = createRuleHealth({
    ...parts,
    broadcast: (news) => one.receive(JSON.parse(JSON.stringify(news))),
  });
  for (let count = 0; count < 2; count += 1) one.reportTimeout(RULE);
  expect([one, other].map((health) => health.isQuarantined(RULE))).toEqual([false, false]);
  one.reportTimeout(RULE);
  expect([one, other].map((health) => health.isQuarantined(RULE))).toEqual([true, true]);
  expect(other.isQuarantined({ ...RULE, pattern: "a+b" })).toBe(false);
  other.release("slow");
  expect([one, other].map((health) => health.listQuarantined())).toEqual([[], []]);
});
