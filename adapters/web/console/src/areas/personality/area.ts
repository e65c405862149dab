import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "personality",
  paths: ["/personality"],
  page: async () => (await import("./page.tsx")).PersonalityPage,
};
