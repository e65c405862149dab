/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "an answer of the bridge came too late": "网桥的答复来得太晚",
  "an event could not be accepted; reconnecting": "无法接收事件，正在重新连接",
  "an event of the bridge could not be accepted": "无法接收网桥的事件",
  "messages sent in the meantime could not be fetched": "无法获取断开期间的消息",
  "the bridge does not answer": "网桥没有应答",
};
