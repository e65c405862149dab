import type { en } from "./en.ts";

/** Chinese texts of adapter imb. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  https: "必须是 https",
  no_address: "缺少，或不是有效的地址",
  no_user: "不能含有用户名或 # 片段",
  no_webhook: "收不到消息：平台上没有登记 Webhook",
  open: "未设置密钥，此 Webhook 是开放的",
  other_address: "平台登记的是另一个地址",
  other_poller: "收不到消息：另一个程序正在读取此机器人的消息，请停止它后重新连接",
  other_end: "必须以 {path} 结尾",
  port: "端口必须是 443、80、88 或 8443",
  secret_letters: "{variable} 中的密钥只能含有字母、数字、_ 和 -，最多 256 个",
  sends_elsewhere: "收不到消息：平台把消息发往另一个地址（{host}）",
  webhook_again: "收不到消息：有人又为此机器人登记了 Webhook，重新连接即可移除",
  webhook_answered: "本服务对平台的请求返回了 {status}",
  webhook_certificate: "平台不信任该地址的证书：“{words}”",
  webhook_in_use: "平台正把消息发往 {host} 的 Webhook，连接后会将其移除",
  webhook_late: "该地址没有及时响应：“{words}”",
  webhook_removed: "此渠道自行拉取消息，已移除机器人在 {host} 的 Webhook",
  webhook_refused: "平台无法连接该地址：“{words}”",
  webhook_trouble: "平台给出的原因：“{words}”",
  platform: "平台没有接受：{reason}",
};
