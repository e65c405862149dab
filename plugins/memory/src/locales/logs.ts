/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "memories could not be vectorized": "未能为记忆计算向量",
  "the configuration of models could not be read": "无法读取模型配置",
};
