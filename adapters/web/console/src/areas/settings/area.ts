import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "settings",
  paths: ["/settings"],
  page: async () => (await import("./page.tsx")).SettingsPage,
};
