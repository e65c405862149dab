/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "traces are exported again": "追踪导出已恢复",
  "traces cannot be exported": "无法导出追踪",
};
