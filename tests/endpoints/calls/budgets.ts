import type { Call, Seed } from "../calls.ts";

const FIELDS = ["id", "name", "applies_to", "limit_tokens", "action", "message", "revision"];
const BUDGET = { name: "Each conversation", applies_to: "conversation", limit_tokens: 1_000_000 };

const createBudget = async ({ api }: Seed): Promise<{ readonly budget_id: string }> => {
  const { id } = await api.post<{ id: string }>("/api/budgets", BUDGET);
  return { budget_id: id };
};

/** A working call of every route of budgets. */
export const BUDGET_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/budgets": { gives: ["items", "total", "limit", "offset"] },
  "POST /api/budgets": { body: BUDGET, gives: FIELDS },
  "GET /api/budgets/{budget_id}": { params: createBudget, gives: FIELDS },
  "PUT /api/budgets/{budget_id}": { params: createBudget, body: { limit_tokens: 2_000_000 }, gives: FIELDS },
  "DELETE /api/budgets/{budget_id}": { params: createBudget, gives: ["id", "deleted"] },
  "GET /api/budgets/{budget_id}/usage": { params: createBudget, gives: ["items", "total", "limit", "offset"] },
};
