import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "budgets",
  paths: ["/budgets"],
  changeScope: "admin",
  page: async () => (await import("./page.tsx")).BudgetsPage,
};
