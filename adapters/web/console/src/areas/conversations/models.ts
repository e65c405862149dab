import { queryOptions } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { readWholeList } from "../../shared/api/list-pages.ts";

/** All configured models, for every purpose. */
export const allModelsQuery = queryOptions({
  queryKey: ["model", "all"],
  queryFn: () => readWholeList((page) => parley.get("/api/ai-models", { query: page })),
});

/** Returns the enabled models that can chat. */
export function filterChatModels<Model extends { readonly purpose: string; readonly enabled: boolean }>(
  models: readonly Model[],
): readonly Model[] {
  return models.filter(({ purpose, enabled }) => purpose === "chat" && enabled);
}
