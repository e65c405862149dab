/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a credential could not be checked": "无法核对凭据",
  "a socket could not be opened": "无法打开实时连接",
  "a socket frame could not be answered": "无法处理实时连接的一条请求",
};
