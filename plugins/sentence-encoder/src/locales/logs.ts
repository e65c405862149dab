/** Chinese texts of the log messages of plugin sentence-encoder. */
export const logs = {
  "the thread of the sentence encoder failed": "句子编码器线程出错",
} as const;
