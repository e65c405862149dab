import type { CachedRecords, RecordPart } from "@parley/core";
import type { BudgetFields } from "./budget-resource.ts";

/** Creates the part of a person's data that holds budgets for this person alone; what others counted is erased with its rows. */
export function createPersonPart(stored: () => CachedRecords<BudgetFields>): RecordPart {
  return {
    id: "budgets.of-person",
    of: "person",
    async erase({ addresses }) {
      const erased = new Set(addresses.map(({ address }) => address));
      const own = [...stored().values()].filter(
        ({ applies_to, target_id }) => applies_to === "person" && erased.has(target_id),
      );
      for (const { id } of own) await stored().remove(id);
      return own.length;
    },
  };
}
