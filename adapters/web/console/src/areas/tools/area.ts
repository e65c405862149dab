import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "tools",
  paths: ["/tools"],
  page: async () => (await import("./page.tsx")).ToolsPage,
};
