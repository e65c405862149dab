/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "the progress of a rebuild could not be reported": "未能通报索引重建进度",
  "vectors could not be refreshed": "无法更新向量",
};
