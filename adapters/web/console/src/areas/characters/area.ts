import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "characters",
  paths: ["/characters", "/characters/$characterId"],
  page: async () => (await import("./page.tsx")).CharactersPage,
};
