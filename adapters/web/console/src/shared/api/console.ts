import type { ConsoleArea, ResourceView } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "./client.ts";

/** What they are changes only when plugins do, and then everything is read again. */
const SELDOM = { staleTime: Number.POSITIVE_INFINITY } as const;

export type NavigationArea = Pick<ConsoleArea, "id" | "group" | "title" | "icon" | "view">;

export const useAreas = () =>
  useQuery({
    queryKey: ["console", "areas"],
    queryFn: () => api.get<{ readonly items: readonly NavigationArea[] }>("/api/console/areas"),
    ...SELDOM,
  });

export const useResources = () =>
  useQuery({
    queryKey: ["console", "resources"],
    queryFn: () => api.get<{ readonly items: readonly ResourceView[] }>("/api/console/resources"),
    ...SELDOM,
  });
