import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "plugins",
  paths: ["/plugins"],
  page: async () => (await import("./page.tsx")).PluginsPage,
};
