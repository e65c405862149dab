import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "notifications",
  paths: ["/notifications"],
  partChangeScope: "admin",
  page: async () => (await import("./page.tsx")).NotificationsPage,
};
