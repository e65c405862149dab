import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  RouterProvider,
} from "@tanstack/react-router";
import { createContext, useContext } from "react";
import { loadChunk } from "../shared/load-chunk.ts";
import { AreaPage } from "./area-page.tsx";
import { PAGES } from "./areas.ts";
import { Frame, type FrameProps } from "./frame/frame.tsx";
import { NotFound } from "./not-found.tsx";

const FrameContext = createContext<FrameProps>({ username: "", onSignedOut: () => {} });

function FramedPage() {
  return <Frame {...useContext(FrameContext)} />;
}

const root = createRootRoute({ component: FramedPage, notFoundComponent: NotFound });
const pages = [...PAGES.values()].flatMap(({ paths, page }) => {
  const component = lazyRouteComponent(async () => {
    const [loaded] = await loadChunk(() => Promise.all([page(), import("../shared/styles/areas.ts")]));
    return { default: loaded };
  });
  return paths.map((path) => createRoute({ getParentRoute: () => root, path, component }));
});
const genericPages = ["/area/$areaId", "/area/$areaId/$record"].map((path) =>
  createRoute({ getParentRoute: () => root, path, component: AreaPage }),
);

// Sub-views live in the fragment: one page serves them all.
const router = createRouter({
  history: createHashHistory(),
  defaultPreload: "intent",
  routeTree: root.addChildren([...pages, ...genericPages]),
});

/** The frame with the page of the current path. Its files load after sign-in. */
export function AppRouter(props: FrameProps) {
  return (
    <FrameContext value={props}>
      <RouterProvider router={router} />
    </FrameContext>
  );
}
