import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "filter",
  paths: ["/filter", "/filter/$tab"],
  page: async () => (await import("./page.tsx")).FilterPage,
};
