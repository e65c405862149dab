import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "memories",
  paths: ["/memories"],
  page: async () => (await import("./page.tsx")).MemoriesPage,
};
