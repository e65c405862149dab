/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "an answer could not be spoken while it was written": "未能边生成边朗读回答",
  "the speech of a deleted session could not be removed": "无法清理已删除会话的语音",
};
