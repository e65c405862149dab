import { failuresOf } from "@parley/core";

/** Creates localized errors of outgoing requests. */
export const egressFailure = failuresOf("egress", {
  late: { en: "{host} did not answer in time", zh: "{host} 没有及时响应" },
  large: { en: "{host} sent too much", zh: "{host} 发送的内容过多" },
  closed: { en: "{host} closed the connection{code}", zh: "{host} 断开了连接{code}" },
  unreachable: { en: "{host} cannot be reached{code}", zh: "无法连接到 {host}{code}" },
  scheme: { en: "must be http or https", zh: "必须以 http 或 https 开头" },
  user: { en: "must not hold a user or password", zh: "不能含有用户名或密码" },
  redirect: { en: "the server redirects to what is no address", zh: "服务器重定向到无效的网址" },
  redirect_body: {
    en: "the server redirects to another one, which what was sent is not meant for",
    zh: "服务器重定向到另一台服务器，而所发送的内容并非为其准备",
  },
  refused: { en: "'{name}' may not be reached from here", zh: "不允许从此处访问“{name}”" },
});
