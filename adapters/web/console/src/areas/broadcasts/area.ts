import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "broadcasts",
  paths: ["/broadcasts"],
  changeScope: "admin",
  page: async () => (await import("./page.tsx")).BroadcastsPage,
};
