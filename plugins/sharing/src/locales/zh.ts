import type { en } from "./en.ts";

/** Chinese texts of plugin sharing. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  long: "会话过长，无法全部公开，请只公开一部分",
  nothing_here: "此处没有公开的会话，或已不再公开",
  nothing_to_show: "没有可显示的内容，请选择其他消息",
  order: "不能晚于 message_end",
  password_needed: "此会话需要密码",
  small: "对这么多文字来说过小，至少需要 {width}",
  text_bytes: "最多 {most} 字节",
  text_long: "过长，级别 {level} 容纳不下",
  wrong_passwords: "密码错误次数过多",
};
