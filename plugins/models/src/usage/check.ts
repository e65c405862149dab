import { type Check, type Finding, MODEL_PURPOSES, toModelReason } from "@parley/core";
import type { HealthView, ModelQueue } from "../failover/model-queue.ts";
import type { Catalog } from "../records/catalog.ts";
import type { ConfiguredModel } from "../records/configured-model.ts";
import { modelsTexts } from "../texts.ts";

const MODELS_PAGE = "/models";

/** Reports a missing chat model, and active models that cool down after failures or have no tokens left; calls none. */
export function createModelsCheck(
  catalog: () => Pick<Catalog, "findConfigured">,
  modelQueue: () => Pick<ModelQueue, "view">,
): Check {
  const checkModel = async (model: ConfiguredModel): Promise<readonly Finding[]> => {
    const view = await modelQueue().view(model);
    if (view.state === "healthy" || view.state === "disabled") return [];
    return [view.state === "exhausted" ? toExhaustedFinding(model) : toFailingFinding(model, view)];
  };
  return {
    id: "models",
    async run() {
      const configuredModels = await Promise.all(MODEL_PURPOSES.map((purpose) => catalog().findConfigured(purpose)));
      const userModels = configuredModels
        .filter((model) => model !== undefined)
        .filter(({ source }) => source !== "offline");
      // A model that is active for several purposes is reported once.
      const uniqueModels = [
        ...new Map(userModels.map((model) => [`${model.modelId} ${model.fields.name}`, model])).values(),
      ];
      const findings = await Promise.all(uniqueModels.map(checkModel));
      const chat = configuredModels[MODEL_PURPOSES.indexOf("chat")];
      return [...(!chat || chat.source === "offline" ? [createNoModelFinding()] : []), ...findings.flat()];
    },
  };
}

const createNoModelFinding = (): Finding => ({
  key: "models.none",
  level: "warning",
  said: modelsTexts.localized("finding_none"),
  advice: modelsTexts.localized("finding_none_advice"),
  page: MODELS_PAGE,
});

function toExhaustedFinding({ fields: { name } }: ConfiguredModel): Finding {
  return {
    key: "models.exhausted",
    level: "problem",
    said: modelsTexts.localized("finding_exhausted", { name }),
    advice: modelsTexts.localized("finding_exhausted_advice"),
    parameters: { model: name },
    page: MODELS_PAGE,
  };
}

function toFailingFinding({ fields: { name } }: ConfiguredModel, { last_error }: HealthView): Finding {
  const { category = "server_error", detail = "" } = last_error ?? {};
  const why = last_error?.said ?? toModelReason({ category: "server_error", detail: "" });
  return {
    key: "models.failing",
    level: "problem",
    said: modelsTexts.localized("finding_failing", { name, reason: why }),
    advice: modelsTexts.localized("finding_failing_advice"),
    parameters: { model: name, reason: detail, category },
    page: MODELS_PAGE,
  };
}
