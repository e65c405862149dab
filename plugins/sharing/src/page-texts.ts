import { parseAcceptLanguage } from "@parley/core";

/** Texts of a page around the conversation. */
export interface PageTexts {
  readonly lang: string;
  readonly shared: string;
  readonly published: string;
  readonly until: string;
  readonly you: string;
  readonly assistant: string;
  readonly scenario: string;
  readonly earlier: string;
  readonly later: string;
  readonly password: string;
  readonly locked: string;
  readonly open: string;
  readonly wrong: string;
  readonly tooMany: string;
  readonly gone: string;
  readonly goneText: string;
}

const EN: PageTexts = {
  lang: "en",
  shared: "Shared conversation",
  published: "Published",
  until: "Readable until",
  you: "User",
  assistant: "Assistant",
  scenario: "Scenario",
  earlier: "Earlier messages",
  later: "Later messages",
  password: "Password",
  locked: "This conversation is protected by a password.",
  open: "Open",
  wrong: "Wrong password.",
  tooMany: "Too many wrong passwords. Try again in a few minutes.",
  gone: "Nothing here",
  goneText: "This link does not lead to a conversation, or the conversation is no longer shared.",
};

const ZH: PageTexts = {
  lang: "zh",
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

/** Returns the texts in the language that the header `Accept-Language` prefers. */
export function getPageTexts(acceptLanguage: string | undefined): PageTexts {
  return parseAcceptLanguage(acceptLanguage) === "zh" ? ZH : EN;
}
