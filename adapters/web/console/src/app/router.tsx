import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  RouterProvider,
} from "@tanstack/react-router";
import { createContext, useContext } from "react";
import { fetched } from "../shared/fetched.ts";
import { AreaPage } from "./area-page.tsx";
import { PAGES } from "./areas.ts";
import { Frame, type FrameProps } from "./frame.tsx";
import { NotFound } from "./not-found.tsx";

const Person = createContext<FrameProps>({ username: "", signedOut: () => {} });

function FramedPage() {
  return <Frame {...useContext(Person)} />;
}

const root = createRootRoute({ component: FramedPage, notFoundComponent: NotFound });
const pages = [...PAGES.values()].flatMap(({ paths, page }) => {
  const component = lazyRouteComponent(async () => {
    const [loaded] = await fetched(() => Promise.all([page(), import("../shared/styles/areas.ts")]));
    return { default: loaded };
  });
  return paths.map((path) => createRoute({ getParentRoute: () => root, path, component }));
});
const anywhere = ["/area/$areaId", "/area/$areaId/$record"].map((path) =>
  createRoute({ getParentRoute: () => root, path, component: AreaPage }),
);

// Sub-views live in the fragment: one page serves them all.
const router = createRouter({
  history: createHashHistory(),
  defaultPreload: "intent",
  routeTree: root.addChildren([...pages, ...anywhere]),
});

/** The frame, and in it the page that the address names. Its files come once somebody is signed in. */
export function Pages(person: FrameProps) {
  return (
    <Person value={person}>
      <RouterProvider router={router} />
    </Person>
  );
}
