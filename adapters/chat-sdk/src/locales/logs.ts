/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "the adapter package reported a problem": "适配器软件包报告了问题",
  "an adapter package could not be closed": "适配器软件包未能关闭",
  "an event of the platform could not be accepted": "平台事件未能接收",
  "an interaction could not be answered": "交互未能响应",
  "an event of the platform cannot be read": "平台事件无法读取",
  "an event of the gateway could not be accepted; reconnecting": "网关事件未能接收，正在重新连接",
  "the gateway's connection failed": "网关连接失败",
};
