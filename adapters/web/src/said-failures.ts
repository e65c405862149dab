import { failuresOf } from "@parley/core";

/** Localized errors of the console and its sockets. */
export const webFailure = failuresOf("web", {
  avatar_late: { en: "the model did not answer within {seconds} s", zh: "模型在 {seconds} 秒内没有应答" },
  avatar_off: { en: "the companion is switched off", zh: "小伙伴已关闭" },
  context_large: { en: "is larger than 4 KiB", zh: "超过 4 KiB" },
  internal: { en: "internal error", zh: "内部错误" },
  many_joined: { en: "at most {most} conversations per connection", zh: "一个连接最多打开 {most} 个会话" },
  no_model: { en: "no model is set up for the companion", zh: "尚未设置小伙伴可用的模型" },
  not_joined: { en: "open the conversation first", zh: "请先打开会话" },
  too_often: { en: "too many requests: try again in {seconds} s", zh: "请求过于频繁，请在 {seconds} 秒后重试" },
});
