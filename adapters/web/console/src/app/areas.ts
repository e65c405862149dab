import type { Scope } from "@parley/core";
import type { NavigationArea } from "../shared/api/console.ts";
import type { Area } from "../shared/area.ts";

/** Every folder of `areas` is one. */
const FOUND = import.meta.glob<Area>("../areas/*/area.ts", { eager: true, import: "area" });
export const PAGES: ReadonlyMap<string, Area> = new Map(Object.values(FOUND).map((area) => [area.id, area]));

const ANYWHERE = "/area/";

/** Where the page of an area is. */
export function addressOf({ id, view }: Pick<NavigationArea, "id" | "view">): string {
  const page = view.kind === "page" ? PAGES.get(view.page) : undefined;
  return page?.paths[0] ?? `${ANYWHERE}${id}`;
}

/** What a person needs to change anything on the page of an area. */
export function changesNeedAt(area: NavigationArea | undefined): Scope {
  return (area?.view.kind === "page" && PAGES.get(area.view.page)?.changes) || "chat";
}

/** The area whose page is at a path. */
export function areaAt(path: string, areas: readonly NavigationArea[]): NavigationArea | undefined {
  if (path.startsWith(ANYWHERE)) {
    const [id] = path.slice(ANYWHERE.length).split("/");
    return areas.find((area) => area.id === id);
  }
  return areas.find(
    ({ view }) => view.kind === "page" && PAGES.get(view.page)?.paths.some((one) => matches(path, one)),
  );
}

/** Whether the console has a page of its own there. */
export function isPage(path: string): boolean {
  return PAGES.values().some(({ paths }) => paths.some((one) => matches(path, one)));
}

/** Parameters stand for anything. */
function matches(path: string, pattern: string): boolean {
  const given = path.split("/");
  const wanted = pattern.split("/");
  return given.length === wanted.length && wanted.every((part, index) => part.startsWith("$") || part === given[index]);
}
