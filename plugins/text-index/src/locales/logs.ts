/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "the thread of the text index failed": "文本索引线程出错",
  "vectors are indexed by pgvector": "已由 pgvector 为向量建立索引",
  "vectors could not be indexed by pgvector": "pgvector 无法为向量建立索引",
};
