import type { en } from "./en.ts";

/** Chinese texts of the page of a shared conversation. */
export const pageTexts = {
  shared: "分享的对话",
  published: "发布于",
  until: "有效期至",
  you: "用户",
  assistant: "助手",
  scenario: "场景",
  earlier: "较早的消息",
  later: "较晚的消息",
  password: "密码",
  locked: "此对话受密码保护。",
  open: "打开",
  wrong: "密码不正确。",
  tooMany: "密码错误次数过多，请几分钟后再试。",
  gone: "这里没有内容",
  goneText: "该链接没有对应的对话，或者对话已不再分享。",
};

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
