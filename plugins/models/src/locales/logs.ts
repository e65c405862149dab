/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a model gave no answer": "模型没有应答",
  "the usage of a model call could not be stored": "无法保存模型调用的用量",
};
