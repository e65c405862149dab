/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "the model gave no title": "模型没有给出标题",
  "the session could not be named": "未能为会话命名",
};
