import { failuresOf } from "@parley/core";

/** Localized errors of publications and QR codes. */
export const sharingFailure = failuresOf("sharing", {
  long: {
    en: "the conversation is too long to publish as a whole: publish a part of it",
    zh: "会话过长，无法全部公开，请只公开一部分",
  },
  nothing_here: {
    en: "nothing is published here, or it is no longer published",
    zh: "此处没有公开的会话，或已不再公开",
  },
  nothing_to_show: { en: "there is nothing to show: select other messages", zh: "没有可显示的内容，请选择其他消息" },
  order: { en: "must not be after message_end", zh: "不能晚于 message_end" },
  password_needed: { en: "this conversation needs its password", zh: "此会话需要密码" },
  small: {
    en: "is too small for this much text: use {width} or more",
    zh: "对这么多文字来说过小，至少需要 {width}",
  },
  text_bytes: { en: "must be at most {most} bytes long", zh: "最多 {most} 字节" },
  text_long: { en: "is too long for level {level}", zh: "过长，级别 {level} 容纳不下" },
  wrong_passwords: { en: "too many wrong passwords", zh: "密码错误次数过多" },
});
