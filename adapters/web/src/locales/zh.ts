import type { en } from "./en.ts";

/** Chinese texts of adapter web. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  avatar_greeting: "你好！想做点什么？",
  avatar_status: "一切还好吗？",
  avatar_tell: "说点什么",
  avatar_cheer: "给我打打气",
  avatar_late: "模型在 {seconds} 秒内没有应答",
  avatar_off: "小伙伴已关闭",
  context_large: "超过 4 KiB",
  internal: "内部错误",
  many_joined: "一个连接最多打开 {most} 个会话",
  no_model: "尚未设置小伙伴可用的模型",
  not_joined: "请先打开会话",
  too_often: "请求过于频繁，请在 {seconds} 秒后重试",
};
