import { type GrantScope, parseAcceptLanguage } from "@parley/core";

/** Texts of the pages. */
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
  title: "Give a program access",
  asks: "A program that calls itself",
  asksOf: "wants to use the tools of this service (MCP).",
  unchecked: "Programs choose their own names. Continue only if you have just started this yourself.",
  goesTo: "Your answer is sent to",
  thisMachine: "a program on this computer",
  as: "Signed in as",
  may: "It will be able to",
  scopes: {
    read: "read messages, conversations, status and logs",
    write: "read, change and send everything an operator can",
    admin: "use every tool, as an administrator",
  },
  allow: "Allow",
  deny: "Deny",
  takeBack: "You can revoke this at any time under Console → Clients with access.",
  cannot: "This cannot continue",
  unknownClient:
    "The program is not registered here, or wants its answer sent to an address it did not register. Start again from the program.",
  wrongRequest: "The program asked in a way that is not allowed here",
  full: "Too many programs already have access. Delete some in the console first.",
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
    write: "像操作员一样查看、修改和发送",
    admin: "以管理员身份使用全部工具",
  },
  allow: "允许",
  deny: "不允许",
  takeBack: "你可以随时在控制台的“已授权的客户端”中撤销。",
  cannot: "无法继续",
  unknownClient: "该程序未在此注册，或者要求把结果发送到未注册的地址。请从程序中重新开始。",
  wrongRequest: "程序的请求在此不被允许",
  full: "已授权的程序过多，请先在控制台中删除一些。",
  back: "返回程序",
};

/** Returns the texts in the language that the header `Accept-Language` prefers. */
export function getPageTexts(acceptLanguage: string | undefined): PageTexts {
  return parseAcceptLanguage(acceptLanguage) === "zh" ? ZH : EN;
}
