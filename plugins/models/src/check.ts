import { type Check, type Finding, type Localized, MODEL_PURPOSES, type ModelErrorCategory } from "@parley/core";
import type { HealthView, Line } from "./calls/line.ts";
import type { Catalog, ConfiguredModel } from "./catalog.ts";

const PAGE = "/models";

/** Whether a chat model is set up, and the one in force for each purpose answers. */
export function modelsCheck(catalog: () => Pick<Catalog, "configured">, line: () => Pick<Line, "view">): Check {
  const ofModel = async (model: ConfiguredModel): Promise<readonly Finding[]> => {
    const view = await line().view(model);
    if (view.state === "healthy" || view.state === "disabled") return [];
    return [view.state === "exhausted" ? exhausted(model) : failing(model, view)];
  };
  return {
    id: "models",
    async run() {
      const set = await Promise.all(MODEL_PURPOSES.map((purpose) => catalog().configured(purpose)));
      const own = set.filter((model) => model !== undefined).filter(({ source }) => source !== "offline");
      // One record may serve several purposes' pointers; it is told once.
      const once = [...new Map(own.map((model) => [`${model.modelId} ${model.fields.name}`, model])).values()];
      const found = await Promise.all(once.map(ofModel));
      const chat = set[MODEL_PURPOSES.indexOf("chat")];
      return [...(!chat || chat.source === "offline" ? [NONE] : []), ...found.flat()];
    },
  };
}

const NONE: Finding = {
  key: "models.none",
  level: "warning",
  said: {
    en: "no AI model is set up: the offline companion answers",
    zh: "尚未设置 AI 模型：由离线伙伴回答",
  },
  advice: { en: "add a model on the page Models", zh: "请在“模型”页面添加模型" },
  page: PAGE,
};

function exhausted({ fields: { name } }: ConfiguredModel): Finding {
  return {
    key: "models.exhausted",
    level: "problem",
    said: { en: `the token limit of the model ${name} is reached`, zh: `模型 ${name} 的 token 限额已用完` },
    advice: {
      en: "raise its limit on the page Models, or add another model",
      zh: "请在“模型”页面提高限额，或添加其他模型",
    },
    parameters: { model: name },
    page: PAGE,
  };
}

function failing({ fields: { name } }: ConfiguredModel, { last_error }: HealthView): Finding {
  const { category = "server_error", detail = "" } = last_error ?? {};
  const why = WHY[category];
  const parameters = { model: name, reason: detail, category };
  const quoted = detail === "" ? { en: "", zh: "" } : { en: ` (${detail})`, zh: `（${detail}）` };
  return {
    key: "models.failing",
    level: "problem",
    said: {
      en: `the model ${name} does not answer: ${why.en}${quoted.en}`,
      zh: `模型 ${name} 没有应答：${why.zh}${quoted.zh}`,
    },
    advice: {
      en: "test it on the page Models: its key, its address, its limits",
      zh: "请在“模型”页面测试：检查密钥、地址和限额",
    },
    parameters,
    page: PAGE,
  };
}

const WHY: Readonly<Record<ModelErrorCategory, Localized>> = {
  network: { en: "it cannot be reached", zh: "无法连接" },
  timeout: { en: "it takes too long", zh: "响应超时" },
  server_error: { en: "the provider has an error", zh: "服务商出错" },
  rate_limited: { en: "it is asked too often", zh: "请求过于频繁" },
  quota: { en: "the provider's account is used up", zh: "服务商账户额度已用完" },
  auth: { en: "the provider refuses the key", zh: "服务商拒绝了密钥" },
  no_key: { en: "it has no key", zh: "没有密钥" },
  invalid_response: { en: "its answers cannot be read", zh: "无法读取其应答" },
  model_missing: { en: "the provider does not have it", zh: "服务商没有此模型" },
  context_length: { en: "the request is too long", zh: "请求过长" },
  bad_request: { en: "the provider refuses the request", zh: "服务商拒绝了请求" },
  content_refused: { en: "the provider refuses the content", zh: "服务商拒绝了内容" },
  exhausted: { en: "its token limit is reached", zh: "token 限额已用完" },
};
