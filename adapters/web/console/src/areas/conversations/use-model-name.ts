import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { allModelsQuery } from "./models.ts";
import { useTexts } from "./texts.ts";

/** Provider id of the offline companion. */
const OFFLINE_PROVIDER = "offline";
const STALE_MS = 60_000;

/** Returns a function that gives the display name of a reply's model; for a deleted model, the name its provider uses. */
export function useModelName(): (message: Pick<Message, "model" | "model_id">) => string {
  const { t } = useTexts();
  const { data } = useQuery({ ...allModelsQuery, staleTime: STALE_MS });
  return ({ model, model_id }) => {
    if (model === OFFLINE_PROVIDER && !model_id) return t("offlineName");
    return data?.items.find(({ id }) => id === model_id)?.name ?? model ?? "";
  };
}
