import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { AreaPage } from "./area-page.tsx";
import { PAGES } from "./areas.ts";
import { NotFound } from "./not-found.tsx";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const pages = [...PAGES.values()].flatMap(({ paths, page }) => {
  const component = lazyRouteComponent(async () => {
    const [loaded] = await Promise.all([page(), import("../shared/styles/areas.ts")]);
    return { default: loaded };
  });
  return paths.map((path) => createRoute({ getParentRoute: () => root, path, component }));
});
const anywhere = ["/area/$areaId", "/area/$areaId/$record"].map((path) =>
  createRoute({ getParentRoute: () => root, path, component: AreaPage }),
);

// Sub-views live in the fragment: one page serves them all.
export const router = createRouter({
  history: createHashHistory(),
  defaultPreload: "intent",
  routeTree: root.addChildren([...pages, ...anywhere]),
});
