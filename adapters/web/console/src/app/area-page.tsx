import { Navigate } from "@tanstack/react-router";
import { useAreas } from "../shared/api/console.ts";
import { lazy } from "../shared/load-chunk.ts";
import { usePathParams } from "../shared/ui/page/address.ts";
import { toAreaPath } from "./areas.ts";
import { NotFound } from "./not-found.tsx";

const ResourcePage = lazy(async () => {
  const [{ ResourcePage }] = await Promise.all([
    import("../resource/resource-page.tsx"),
    import("../shared/styles/areas.ts"),
  ]);
  return { default: ResourcePage };
});
const ModulePage = lazy(async () => {
  const [{ ModulePage }] = await Promise.all([import("./module-page.tsx"), import("../shared/styles/areas.ts")]);
  return { default: ModulePage };
});

/** The page of an area that a plugin describes (a resource) or serves (a module). */
export function AreaPage() {
  const { areaId, record } = usePathParams();
  const { data } = useAreas();
  const area = data?.items.find(({ id }) => id === areaId);
  if (!area) return data ? <NotFound /> : null;
  switch (area.view.kind) {
    case "resource":
      return <ResourcePage key={area.id} area={area} kind={area.view.resource} record={record} />;
    case "module":
      return <ModulePage key={area.id} area={area} url={area.view.url} record={record} />;
    default: {
      const path = toAreaPath(area);
      return path.startsWith("/area/") ? <NotFound /> : <Navigate to={path} replace />;
    }
  }
}
