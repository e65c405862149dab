import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "knowledge",
  paths: ["/knowledge"],
  page: async () => (await import("./page.tsx")).KnowledgePage,
};
