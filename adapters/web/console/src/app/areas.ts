import type { Scope } from "@parley/core";
import type { NavigationArea } from "../shared/api/console.ts";
import type { Area } from "../shared/area.ts";

/** The areas of the console, one for each folder of `areas`. */
const AREA_MODULES = import.meta.glob<Area>("../areas/*/area.ts", { eager: true, import: "area" });
export const PAGES: ReadonlyMap<string, Area> = new Map(Object.values(AREA_MODULES).map((area) => [area.id, area]));

const GENERIC_PATH = "/area/";

/** Returns the path of an area's page. */
export function toAreaPath({ id, view }: Pick<NavigationArea, "id" | "view">): string {
  const page = view.kind === "page" ? PAGES.get(view.page) : undefined;
  return page?.paths[0] ?? `${GENERIC_PATH}${id}`;
}

/** Returns the scope required for changes on an area's page: `chat` unless the page names another. */
export function getChangeScope(area: NavigationArea | undefined): Scope {
  return (area?.view.kind === "page" && PAGES.get(area.view.page)?.changeScope) || "chat";
}

/** Finds the area whose page has this path. */
export function findAreaAt(path: string, areas: readonly NavigationArea[]): NavigationArea | undefined {
  if (path.startsWith(GENERIC_PATH)) {
    const [id] = path.slice(GENERIC_PATH.length).split("/");
    return areas.find((area) => area.id === id);
  }
  return areas.find(
    ({ view }) => view.kind === "page" && PAGES.get(view.page)?.paths.some((one) => matches(path, one)),
  );
}

/** True when the console has its own page for this path. */
export function hasPage(path: string): boolean {
  return PAGES.values().some(({ paths }) => paths.some((one) => matches(path, one)));
}

/** Matches a path against a pattern; parameters match anything. */
function matches(path: string, pattern: string): boolean {
  const pathParts = path.split("/");
  const patternParts = pattern.split("/");
  return (
    pathParts.length === patternParts.length &&
    patternParts.every((part, index) => part.startsWith("$") || part === pathParts[index])
  );
}
