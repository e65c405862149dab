import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "access",
  paths: ["/access"],
  partChangeScope: "admin",
  page: async () => (await import("./page.tsx")).AccessPage,
};
