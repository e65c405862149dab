/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "world books could not be prepared": "世界书未能就绪",
  "world books could not be read": "无法读取世界书",
};
