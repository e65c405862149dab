import { failuresOf } from "@parley/core";

/** What goes wrong with models and calls of them, for people in both languages. */
export const modelFailure = failuresOf("models", {
  active: {
    en: "the model is in use: use another one or switch it off first",
    zh: "模型正在使用，请先使用其他模型或将其停用",
  },
  address_login: { en: "must not contain a user name or password", zh: "不能包含用户名或密码" },
  at_once: { en: "at most {most} at once", zh: "一次最多 {most} 条" },
  body_fixed: { en: "cannot set {name}", zh: "不能设置 {name}" },
  body_large: { en: "is larger than 16 KiB", zh: "超过 16 KiB" },
  characters: { en: "must have 1 to {most} characters", zh: "长度必须为 1 至 {most} 个字符" },
  endless: { en: "the answer did not end", zh: "回答没有结束" },
  full: { en: "there are already {most} models", zh: "已有 {most} 个模型" },
  link_local: { en: "must not be a link-local address", zh: "不能是链路本地地址" },
  no_chat: { en: "cannot be used for chat", zh: "不能用于对话" },
  no_list: { en: "servers with the protocol '{id}' do not list their models", zh: "协议“{id}”的服务器不提供模型列表" },
  no_order: { en: "the model '{label}' cannot rerank", zh: "模型“{label}”不能用于重排" },
  no_protocol: {
    en: "the protocol '{id}' of model '{name}' is not loaded",
    zh: "模型“{name}”的协议“{id}”未加载",
  },
  no_talk: { en: "the model '{label}' cannot be used for chat", zh: "模型“{label}”不能用于对话" },
  no_vectors: { en: "the model '{label}' cannot create embeddings", zh: "模型“{label}”不能生成向量" },
  no_web_address: { en: "must be an http or https address", zh: "须为 http 或 https 地址" },
  none: { en: "no model is set up for '{purpose}'", zh: "没有用于“{purpose}”的模型" },
  not_for: { en: "the protocol '{id}' has no model for this purpose", zh: "协议“{id}”没有可用于此用途的模型" },
  not_loaded: { en: "'{id}' is not loaded", zh: "“{id}”未加载" },
  not_of_purpose: { en: "'{id}' is not a model for the purpose '{purpose}'", zh: "“{id}”不是用途“{purpose}”的模型" },
  of_purpose: { en: "the model is for {purpose}", zh: "此模型的用途是 {purpose}" },
  off: { en: "the model is switched off", zh: "模型已停用" },
  required: { en: "is required", zh: "必填" },
  set_purpose: { en: "use the set-purpose endpoint", zh: "不能在此更改用途" },
  size: { en: "must look like 1024x1024", zh: "格式应如 1024x1024" },
  times: { en: "must be between 1 and {most}", zh: "必须在 1 至 {most} 之间" },
  unknown: { en: "'{id}' does not exist", zh: "“{id}”不存在" },
  unsupported: { en: "'{id}' does not support purpose '{purpose}'", zh: "“{id}”不支持用途“{purpose}”" },
});
