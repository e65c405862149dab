/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "views of published conversations were not counted": "未能统计公开会话的阅读次数",
};
