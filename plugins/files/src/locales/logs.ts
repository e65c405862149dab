/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "files that a crash left behind could not be removed": "无法清理崩溃后遗留的文件",
  "files that a crash left behind were removed": "已清理崩溃后遗留的文件",
  "the workspace of a deleted session could not be removed": "无法清理已删除会话的工作区",
};
