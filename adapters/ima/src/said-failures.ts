import { failuresOf } from "@parley/core";

/** Localized errors of the bridge and the platform of imA. */
export const imaFailure = failuresOf("imA", {
  account_shape: { en: "must be 1 to 64 letters, digits, _ or -", zh: "必须是 1 至 64 个字母、数字、_ 或 -" },
  answered: { en: "the bridge answered {status}", zh: "网桥返回了 {status}" },
  bot_refused: { en: "the platform rejected the bot ({code})", zh: "平台拒绝了此机器人（{code}）" },
  closed: { en: "the bridge closed the connection", zh: "网桥关闭了连接" },
  kind: { en: "must be private or group", zh: "必须是 private 或 group" },
  lost: { en: "the connection was lost", zh: "连接已断开" },
  mute: {
    en: "nothing can be sent in http mode: messages are not answered",
    zh: "http 模式下无法发送，消息不会得到回复",
  },
  no_address: {
    en: "no address: set ws_uri or the variable IMA_WS_URI",
    zh: "没有地址：请设置 ws_uri 或环境变量 IMA_WS_URI",
  },
  no_bridge: { en: "the bridge is not connected", zh: "网桥未连接" },
  no_history: { en: "the history could not be read: {reason}", zh: "无法读取历史消息：{reason}" },
  no_more: { en: "the platform accepts no new connections at the moment", zh: "平台暂不接受新连接" },
  not_ours: { en: "is not an imA conversation", zh: "不是 imA 的会话" },
  not_taken: { en: "the platform rejected the message", zh: "平台拒绝接收此消息" },
  nothing_said: { en: "is empty, and nothing is attached", zh: "内容为空，也没有附件" },
  odd_address: { en: "the platform gave an address that cannot be used", zh: "平台给出的地址不可用" },
  offline: { en: "the account is offline", zh: "账号已离线" },
  open_bridge: {
    en: "no access token is set: anyone who knows the address can connect",
    zh: "未设置访问令牌，知道地址的任何人都可以连接",
  },
  open_events: {
    en: "no secret is set: events are accepted without a signature",
    zh: "未设置密钥，事件不经签名即被接收",
  },
  other_account: {
    en: "the bridge serves the account {account}, not {wanted}",
    zh: "网桥连接的账号是 {account}，不是 {wanted}",
  },
  refused_address: { en: "this address is not allowed", zh: "不允许访问此地址" },
  refused_token: { en: "the bridge rejected the access token", zh: "网桥拒绝了访问令牌" },
  refused_with: { en: "the bridge rejected the access token ({status})", zh: "网桥拒绝了访问令牌（{status}）" },
  required: { en: "is required", zh: "必填" },
  turned_account: {
    en: "a bridge was rejected: it serves another account",
    zh: "已拒绝一个网桥：它连接的是另一个账号",
  },
  turned_no_token: { en: "a bridge was rejected: it sent no access token", zh: "已拒绝一个网桥：它没有提供访问令牌" },
  turned_page: {
    en: "a bridge was rejected: the connection came from a web page",
    zh: "已拒绝一个网桥：连接来自浏览器中的网页",
  },
  turned_unset: {
    en: "a bridge was rejected: the variable of the access token is not set",
    zh: "已拒绝一个网桥：访问令牌的环境变量未设置",
  },
  turned_wrong_token: { en: "a bridge was rejected: its access token is wrong", zh: "已拒绝一个网桥：访问令牌错误" },
  unreachable: { en: "the bridge cannot be reached ({code})", zh: "无法连接网桥（{code}）" },
  withdraw_group: {
    en: "the account is not allowed to recall messages in this group",
    zh: "此账号没有权限撤回该群的消息",
  },
  withdraw_private: { en: "other people's private messages cannot be recalled", zh: "不能撤回他人的私聊消息" },
});
