import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "models",
  paths: ["/models"],
  page: async () => (await import("./page.tsx")).ModelsPage,
};
