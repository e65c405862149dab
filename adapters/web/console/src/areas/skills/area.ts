import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "skills",
  paths: ["/skills"],
  page: async () => (await import("./page.tsx")).SkillsPage,
};
