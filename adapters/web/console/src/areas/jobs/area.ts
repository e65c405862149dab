import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "jobs",
  paths: ["/jobs"],
  changeScope: "admin",
  page: async () => (await import("./page.tsx")).JobsPage,
};
