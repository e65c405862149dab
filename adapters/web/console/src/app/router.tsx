import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { AREAS } from "./areas.ts";
import { NotFound } from "./not-found.tsx";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const pages = [...AREAS.values()].flatMap(({ paths, page }) => {
  const component = lazyRouteComponent(async () => {
    const [component] = await Promise.all([page(), import("../shared/styles/areas.ts")]);
    return { default: component };
  });
  return paths.map((path) => createRoute({ getParentRoute: () => root, path, component }));
});

// Sub-views live in the fragment: one page serves them all.
export const router = createRouter({
  history: createHashHistory(),
  defaultPreload: "intent",
  routeTree: root.addChildren(pages),
});
