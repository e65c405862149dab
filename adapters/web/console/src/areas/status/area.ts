import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "status",
  paths: ["/status"],
  changeScope: "admin",
  page: async () => (await import("./page.tsx")).StatusPage,
};
