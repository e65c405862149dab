import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "gateway",
  paths: ["/gateway"],
  changes: "admin",
  page: async () => (await import("./page.tsx")).GatewayPage,
};
