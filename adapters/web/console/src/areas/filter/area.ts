import type { Area } from "../../shared/area.ts";

export const TABS = ["rules", "hits"] as const;

export const area: Area = {
  id: "filter",
  paths: ["/filter", "/filter/$tab"],
  tabs: TABS,
  page: async () => (await import("./page.tsx")).FilterPage,
};
