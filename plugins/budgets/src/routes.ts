import Joi from "@hapi/joi";
import { type RouteTable, route } from "@parley/core";
import { answerFields, type List, listData, listQuery, mapItems, type Page, shape } from "@parley/core/http";
import { type ApplicableDeps, type Budget, getPeriod } from "./applicable.ts";
import type { Ledger, TargetUsage } from "./ledger/ledger.ts";

export interface RouteDeps extends Pick<ApplicableDeps, "now" | "timeZone"> {
  readonly get: (id: string) => Promise<Budget>;
  readonly ledger: Pick<Ledger, "listUsage">;
}

const { id, number, time } = answerFields;

const usageItem = shape(
  {
    target_id: id.allow("").description('"" for the budget of everything'),
    used_tokens: Joi.number().integer(),
    used_cost: number,
    reserved_tokens: Joi.number().integer(),
    reserved_cost: number,
    resets_at: time,
  },
  "BudgetUsage",
);

/** The route that shows what a budget has counted. */
export function createBudgetRoutes(deps: RouteDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/budgets/{budget_id}/usage",
      summary: "what the targets of a budget have spent in the current period",
      scope: "admin",
      query: listQuery(),
      data: listData(usageItem),
      run: async ({ params, query }) => listUsage(deps, await deps.get(params.budget_id), query),
    }),
  ];
}

async function listUsage(deps: RouteDeps, budget: Budget, page: Page) {
  const { startMs, endMs } = getPeriod(deps, budget);
  const resets_at = new Date(endMs).toISOString();
  const found = await deps.ledger.listUsage(budget.id, new Date(startMs).toISOString(), page);
  return mapItems(withOnlyTarget(budget, found), (usage) => ({ ...usage, resets_at }));
}

/** Adds the target of a budget that has only one, as long as it has spent nothing. */
function withOnlyTarget({ applies_to, target_id }: Budget, found: List<TargetUsage>): List<TargetUsage> {
  const hasOne = applies_to === "all" || target_id !== "";
  if (!hasOne || found.total > 0) return found;
  const unused = { target_id, used_tokens: 0, used_cost: 0, reserved_tokens: 0, reserved_cost: 0 };
  return { ...found, items: found.offset === 0 ? [unused] : [], total: 1 };
}
