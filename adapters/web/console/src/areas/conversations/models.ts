import { queryOptions } from "@tanstack/react-query";
import { MAX_LIMIT_QUERY, parley } from "../../shared/api/client.ts";

/** All configured models, for every purpose. */
export const allModelsQuery = queryOptions({
  queryKey: ["model", "all"],
  queryFn: () => parley.get("/api/ai-models", { query: MAX_LIMIT_QUERY }),
});

/** Returns the enabled models that can chat. */
export function filterChatModels<Model extends { readonly purpose: string; readonly enabled: boolean }>(
  models: readonly Model[],
): readonly Model[] {
  return models.filter(({ purpose, enabled }) => purpose === "chat" && enabled);
}
