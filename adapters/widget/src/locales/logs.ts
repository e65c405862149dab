/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a frame of a visitor could not be handled": "访客的帧无法处理",
  "a visitor's socket failed": "访客的连接出错",
  "a visitor's history could not be read": "无法读取访客的历史消息",
  "a visitor's socket could not be opened": "无法打开访客的连接",
};
