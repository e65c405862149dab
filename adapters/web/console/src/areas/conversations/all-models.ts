import { queryOptions } from "@tanstack/react-query";
import { ALL, parley } from "../../shared/api/client.ts";

/** All models that are set up, whatever they are for. */
export const allModels = queryOptions({
  queryKey: ["model", "all"],
  queryFn: () => parley.get("/api/ai-models", { query: ALL }),
});

/** Those that can answer. */
export function chatModels<Model extends { readonly purpose: string; readonly enabled: boolean }>(
  models: readonly Model[],
): readonly Model[] {
  return models.filter(({ purpose, enabled }) => purpose === "chat" && enabled);
}
