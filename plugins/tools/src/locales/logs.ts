/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "models could not be read": "无法读取模型",
  "tool switches could not be reloaded": "无法重新读取工具的开关",
};
