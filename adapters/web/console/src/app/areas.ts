import type { Area } from "../shared/area.ts";

/** Every folder of `areas` is one. */
const FOUND = import.meta.glob<Area>("../areas/*/area.ts", { eager: true, import: "area" });
export const AREAS: ReadonlyMap<string, Area> = new Map(Object.values(FOUND).map((area) => [area.id, area]));
