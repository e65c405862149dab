import { failuresOf } from "@parley/core";

/** Localized errors of notifications. */
export const pushFailure = failuresOf("push", {
  fragment: { en: "must have no fragment", zh: "不能带有 # 片段" },
  full: { en: "an account has at most {most} subscriptions", zh: "每个账户最多订阅 {most} 个浏览器" },
  https: { en: "must be https", zh: "必须是 https 地址" },
  key_length: { en: "must be {length} bytes long", zh: "长度必须为 {length} 字节" },
  key_point: { en: "is not a point of P-256", zh: "不是 P-256 曲线上的点" },
  keys: {
    en: "push: the key pair of this service can neither be read nor created",
    zh: "无法读取或生成此服务的推送密钥",
  },
});
