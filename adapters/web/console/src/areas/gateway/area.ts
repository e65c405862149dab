import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "gateway",
  paths: ["/gateway"],
  changeScope: "admin",
  page: async () => (await import("./page.tsx")).GatewayPage,
};
