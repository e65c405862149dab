import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "notifications",
  paths: ["/notifications"],
  changesOfParts: "admin",
  page: async () => (await import("./page.tsx")).NotificationsPage,
};
