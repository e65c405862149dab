import { BOND_FIELDS } from "@parley/core/characters";
import { expect, test } from "vitest";
import { CHINESE_PLAN_NAMES } from "../../adapters/web/console/src/areas/conversations/explain/plan-names.ts";
import { INTENT_BY_SIGNAL, TONE_BY_SIGNAL } from "../../plugins/characters/src/reactions/reaction-plan.ts";

test("every word of a character's plan has a Chinese name", () => {
  const texts = [
    ...INTENT_BY_SIGNAL.map(([, intent]) => intent),
    "talk",
    ...Object.values(TONE_BY_SIGNAL),
    "natural",
    ...BOND_FIELDS,
  ];
  expect(Object.keys(CHINESE_PLAN_NAMES)).toEqual(expect.arrayContaining(texts));
});
