import type { GrantScope } from "@parley/core";

/** What the pages say. */
export interface PageTexts {
  readonly lang: string;
  readonly signIn: string;
  readonly signInFirst: string;
  readonly username: string;
  readonly password: string;
  readonly wrong: string;
  readonly tooMany: string;
  readonly title: string;
  readonly asks: string;
  readonly asksOf: string;
  readonly unchecked: string;
  readonly goesTo: string;
  readonly thisMachine: string;
  readonly as: string;
  readonly may: string;
  readonly scopes: Readonly<Record<GrantScope, string>>;
  readonly allow: string;
  readonly deny: string;
  readonly takeBack: string;
  readonly cannot: string;
  readonly unknownClient: string;
  readonly wrongRequest: string;
  readonly full: string;
  readonly back: string;
}

const EN: PageTexts = {
  lang: "en",
  signIn: "Sign in",
  signInFirst: "Sign in to decide whether this program may use the service.",
  username: "User name",
  password: "Password",
  wrong: "User name or password is wrong.",
  tooMany: "Too many failed attempts. Try again in a few minutes.",
  title: "Let a program in",
  asks: "A program that calls itself",
  asksOf: "wants to use the tools of this service (MCP).",
  unchecked: "Programs choose their own names. Go on only if you have just started this yourself.",
  goesTo: "Your answer is sent to",
  thisMachine: "a program on this computer",
  as: "Signed in as",
  may: "It may",
  scopes: {
    read: "look: messages, conversations, status, logs",
    write: "look, and change and send what an operator can, except what is for administrators alone",
    admin: "use every tool, as an administrator",
  },
  allow: "Allow",
  deny: "Do not allow",
  takeBack: "You can take this back at any time: Console → Clients with access.",
  cannot: "This does not work",
  unknownClient:
    "The program is not registered here, or wants its answer sent to an address it did not register. Start again from the program.",
  wrongRequest: "The program asked in a way that is not allowed here",
  full: "Too many programs have access already. Remove some in the console first.",
  back: "Back to the program",
};

const ZH: PageTexts = {
  lang: "zh",
  signIn: "登录",
  signInFirst: "请先登录，再决定是否允许该程序使用本服务。",
  username: "用户名",
  password: "密码",
  wrong: "用户名或密码错误。",
  tooMany: "失败次数过多，请几分钟后再试。",
  title: "允许程序访问",
  asks: "一个自称为",
  asksOf: "的程序想使用本服务的工具（MCP）。",
  unchecked: "名称由程序自己填写。只有在你刚刚亲自发起此操作时才应继续。",
  goesTo: "结果将发送到",
  thisMachine: "本机上的程序",
  as: "当前登录账号",
  may: "允许它",
  scopes: {
    read: "查看：消息、会话、状态、日志",
    write: "查看，并像操作员一样修改和发送，管理员专用的除外",
    admin: "以管理员身份使用全部工具",
  },
  allow: "允许",
  deny: "不允许",
  takeBack: "你可以随时在控制台的“已授权的客户端”中收回。",
  cannot: "无法继续",
  unknownClient: "该程序未在此注册，或者要求把结果发送到未注册的地址。请从程序中重新开始。",
  wrongRequest: "程序的请求在此不被允许",
  full: "已授权的程序过多，请先在控制台中删除一些。",
  back: "返回程序",
};

/** By the reader's first language that we have. */
export function textsFor(acceptLanguage: string | undefined): PageTexts {
  const found = (acceptLanguage ?? "")
    .toLowerCase()
    .split(",")
    .find((one) => /^\s*(zh|en)\b/.test(one));
  return found?.trim().startsWith("zh") ? ZH : EN;
}
