/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a channel could not be changed": "无法更改渠道",
  "a channel could not be opened": "无法打开渠道",
  "a channel's link did not close in time": "渠道连接未能及时关闭",
  "an abandoned channel could not be closed": "无法关闭已放弃的渠道",
  "the state of a channel could not be sent to the other nodes": "其他节点无法得知渠道状态",
  "webhooks come with X-Forwarded-For from an address that is not trusted: if it is your proxy, name it in web.trusted_proxies":
    "Webhook 请求带有 X-Forwarded-For，但其来源不受信任：如果是你的代理，请写入 web.trusted_proxies",
};
