import { BOND_FIELDS } from "@parley/core";
import { expect, test } from "vitest";
import { CHINESE_PLANS } from "../../adapters/web/console/src/areas/conversations/why-names.ts";
import { INTENTS, TONES } from "../../plugins/characters/src/plan.ts";

test("all that a character's plan says has a name for who reads Chinese", () => {
  const said = [...INTENTS.map(([, intent]) => intent), "talk", ...Object.values(TONES), "natural", ...BOND_FIELDS];
  expect(Object.keys(CHINESE_PLANS)).toEqual(expect.arrayContaining(said));
});
