/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "the adapter package reported a problem": "适配器软件包报告了问题",
  "an adapter package could not be closed": "适配器软件包未能关闭",
  "an event of the platform could not be accepted": "平台事件未能接收",
};
