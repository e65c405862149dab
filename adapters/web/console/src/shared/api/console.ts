import type { Scope } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { setStorageAccount } from "../account-storage.ts";
import { ApiError, parley, type Shapes } from "./client.ts";

/** Areas and resources change only with plugins, and then everything is refetched. */
const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY } as const;

export type NavigationArea = Shapes["ConsoleArea"];
/** The description of a kind of records, from which its page is built. */
export type ResourceView = Shapes["ResourceView"];
export type ResourceColumn = ResourceView["columns"][number];
export type ResourceAction = ResourceView["actions"][number];

export const useAreas = () =>
  useQuery({
    queryKey: ["console", "areas"],
    queryFn: () => parley.get("/api/console/areas"),
    ...NEVER_STALE,
  });

/** Fetches the current user with scopes and selects their `localStorage`; fails when nobody is signed in. */
export const useCurrentUser = () =>
  useQuery({
    queryKey: ["who"],
    queryFn: async () => {
      const user = await parley.post("/api/verify-token", { body: { optional: true } });
      if (!user.valid) throw new ApiError({ code: "unauthorized", message: "sign in first", status: 401 });
      setStorageAccount(user.username);
      return user;
    },
    retry: false,
  });

/** True when the current user has the scope; the service enforces it independently. */
export function useHasScope(scope: Scope): boolean {
  const { scopes = [] } = useCurrentUser().data ?? {};
  return scopes.includes(scope) || scopes.includes("admin");
}

export const useResources = () =>
  useQuery({
    queryKey: ["console", "resources"],
    queryFn: () => parley.get("/api/console/resources"),
    ...NEVER_STALE,
  });
