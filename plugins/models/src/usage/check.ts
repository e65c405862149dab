import { type Check, type Finding, MODEL_PURPOSES, toModelReason } from "@parley/core";
import type { HealthView, ModelQueue } from "../failover/model-queue.ts";
import type { Catalog } from "../records/catalog.ts";
import type { ConfiguredModel } from "../records/configured-model.ts";

const MODELS_PAGE = "/models";

/** Checks that a chat model is configured, and that the active model of each purpose answers. */
export function modelsCheck(
  catalog: () => Pick<Catalog, "configured">,
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
      const configuredModels = await Promise.all(MODEL_PURPOSES.map((purpose) => catalog().configured(purpose)));
      const userModels = configuredModels
        .filter((model) => model !== undefined)
        .filter(({ source }) => source !== "offline");
      // A model that is active for several purposes is reported once.
      const uniqueModels = [
        ...new Map(userModels.map((model) => [`${model.modelId} ${model.fields.name}`, model])).values(),
      ];
      const findings = await Promise.all(uniqueModels.map(checkModel));
      const chat = configuredModels[MODEL_PURPOSES.indexOf("chat")];
      return [...(!chat || chat.source === "offline" ? [NO_MODEL_FINDING] : []), ...findings.flat()];
    },
  };
}

const NO_MODEL_FINDING: Finding = {
  key: "models.none",
  level: "warning",
  said: {
    en: "no model is set up: the offline companion answers",
    zh: "尚未添加模型：由离线伙伴回答",
  },
  advice: { en: "add a model on the Models page", zh: "请在“模型”页面添加模型" },
  page: MODELS_PAGE,
};

function toExhaustedFinding({ fields: { name } }: ConfiguredModel): Finding {
  return {
    key: "models.exhausted",
    level: "problem",
    said: { en: `the token limit of the model ${name} is reached`, zh: `模型 ${name} 的 token 限额已用完` },
    advice: {
      en: "raise its limit on the Models page, or add another model",
      zh: "请在“模型”页面提高限额，或添加其他模型",
    },
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
    said: { en: `the model ${name} does not answer: ${why.en}`, zh: `模型 ${name} 没有应答：${why.zh}` },
    advice: {
      en: "test it on the Models page: check its key, address and limits",
      zh: "请在“模型”页面测试：检查密钥、地址和限额",
    },
    parameters: { model: name, reason: detail, category },
    page: MODELS_PAGE,
  };
}
