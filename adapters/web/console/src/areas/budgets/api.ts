import { parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";

export type Budget = Shapes["Budget"];
export type BudgetUsage = Shapes["BudgetUsage"];
export type BudgetDraft = Omit<Budget, "id" | "created_at" | "updated_at" | "revision">;

export const QUERY_KEYS = [["budget"]] as const;
const BUDGET_PATH = "/api/budgets/{budget_id}";

export const budgets = {
  list: (page: Page) => parley.get("/api/budgets", { query: { ...page, sort: "name" } }),
  get: (budget_id: string) => parley.get(BUDGET_PATH, { path: { budget_id } }),
  create: (body: BudgetDraft) => parley.post("/api/budgets", { body }),
  change: (budget_id: string, body: Partial<BudgetDraft>, ifMatch: number | undefined) =>
    parley.put(BUDGET_PATH, { path: { budget_id }, body, ifMatch }),
  remove: (budget_id: string) => parley.delete(BUDGET_PATH, { path: { budget_id } }),
  listUsage: (budget_id: string, page: Page) =>
    parley.get(`${BUDGET_PATH}/usage`, { path: { budget_id }, query: page }),
};
