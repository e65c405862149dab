import type { CachedRecords, Models, ResourceRecords } from "@parley/core";
import type { BudgetFields } from "./budget-resource.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { budgetsTexts } from "./texts.ts";

export interface BudgetRecordsDeps {
  readonly stored: () => CachedRecords<BudgetFields>;
  readonly models: () => Pick<Models, "purposeOf">;
  readonly ledger: Pick<Ledger, "removeBudget">;
}

/** Creates the records of budgets; a budget is deleted with everything it has counted. */
export function createBudgetRecords({ stored, models, ledger }: BudgetRecordsDeps): ResourceRecords<BudgetFields> {
  const check = async (fields: Pick<BudgetFields, "action" | "cheaper_model_id" | "applies_to" | "target_id">) => {
    const { action, cheaper_model_id, applies_to, target_id } = fields;
    if (applies_to === "all" && target_id !== "")
      throw budgetsTexts.error("bad_request", "no_target", {}, { field: "target_id" });
    if (action !== "cheaper") return;
    if (cheaper_model_id === null)
      throw budgetsTexts.error("bad_request", "no_cheaper", {}, { field: "cheaper_model_id" });
    if ((await models().purposeOf(cheaper_model_id)) !== "chat")
      throw budgetsTexts.error("bad_request", "not_chat", { id: cheaper_model_id }, { field: "cheaper_model_id" });
  };
  return {
    page: (query) => stored().page(query),
    get: (id) => stored().get(id),
    async create(draft) {
      const { id, ...fields } = draft as BudgetFields & { readonly id?: string };
      await check(fields);
      if (id !== undefined && stored().peek(id)) throw budgetsTexts.error("conflict", "id_taken", { id });
      return stored().create(fields, id === undefined ? {} : { id });
    },
    async change(id, patch, request) {
      await check({ ...(await stored().get(id)), ...patch });
      return stored().change(id, patch, request);
    },
    async remove(id, request) {
      await stored().remove(id, request);
      await ledger.removeBudget(id);
    },
  };
}
