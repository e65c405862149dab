import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "people",
  paths: ["/people"],
  changeScope: "admin",
  page: async () => (await import("./page.tsx")).PeoplePage,
};
