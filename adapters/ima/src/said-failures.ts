import { failuresOf } from "@parley/core";

/** What goes wrong with a bridge or the platform of imA, for people in both languages. */
export const imaFailure = failuresOf("imA", {
  account_shape: { en: "must be 1 to 64 letters, digits, _ or -", zh: "必须是 1 至 64 个字母、数字、_ 或 -" },
  answered: { en: "the bridge answered {status}", zh: "网桥返回了 {status}" },
  bot_refused: { en: "the platform refuses the bot ({code})", zh: "平台拒绝了此机器人（{code}）" },
  closed: { en: "the bridge closed the connection", zh: "网桥关闭了连接" },
  kind: { en: "must be private or group", zh: "必须是 private 或 group" },
  lost: { en: "the connection was lost", zh: "连接已断开" },
  mute: {
    en: "nothing can be sent in mode http: messages are not answered",
    zh: "http 模式下无法发送，消息不会得到回复",
  },
  no_address: {
    en: "no address: set ws_uri or the variable IMA_WS_URI",
    zh: "没有地址：请设置 ws_uri 或环境变量 IMA_WS_URI",
  },
  no_bridge: { en: "the bridge is not connected", zh: "网桥未连接" },
  no_history: { en: "the history could not be read: {reason}", zh: "无法读取历史消息：{reason}" },
  no_more: { en: "the platform takes no new connection now", zh: "平台暂不接受新连接" },
  not_ours: { en: "is not a conversation of imA", zh: "不是 imA 的会话" },
  not_taken: { en: "the platform does not take the message", zh: "平台拒绝接收此消息" },
  nothing_said: { en: "is empty and nothing is attached", zh: "内容为空，也没有附件" },
  odd_address: { en: "the platform names an address that is not taken", zh: "平台给出的地址不可用" },
  offline: { en: "the account is offline", zh: "账号已离线" },
  open_bridge: {
    en: "whoever knows the address may connect: no access token is configured",
    zh: "未设置访问令牌，知道地址的任何人都可以连接",
  },
  open_events: {
    en: "events are taken without a signature: no secret is configured",
    zh: "未设置密钥，事件不经签名即被接收",
  },
  other_account: {
    en: "the bridge serves the account {account}, not {wanted}",
    zh: "网桥连接的账号是 {account}，不是 {wanted}",
  },
  refused_address: { en: "this address may not be reached", zh: "不允许访问此地址" },
  refused_token: { en: "the bridge refuses the access token", zh: "网桥拒绝了访问令牌" },
  refused_with: { en: "the bridge refuses the access token ({status})", zh: "网桥拒绝了访问令牌（{status}）" },
  required: { en: "is required", zh: "必填" },
  turned_account: { en: "a bridge was refused: it serves another account", zh: "已拒绝一个网桥：它连接的是另一个账号" },
  turned_no_token: { en: "a bridge was refused: it names no access token", zh: "已拒绝一个网桥：它没有提供访问令牌" },
  turned_page: {
    en: "a bridge was refused: a page in a browser is not a bridge",
    zh: "已拒绝一个网桥：连接来自浏览器中的网页",
  },
  turned_unset: {
    en: "a bridge was refused: the variable of the access token is not set",
    zh: "已拒绝一个网桥：访问令牌的环境变量未设置",
  },
  turned_wrong_token: { en: "a bridge was refused: its access token is wrong", zh: "已拒绝一个网桥：访问令牌错误" },
  unreachable: { en: "the bridge cannot be reached ({code})", zh: "无法连接网桥（{code}）" },
  withdraw_group: {
    en: "the account may not withdraw messages of this group",
    zh: "此账号没有权限撤回该群的消息",
  },
  withdraw_private: { en: "private messages of others cannot be withdrawn", zh: "不能撤回他人的私聊消息" },
});
