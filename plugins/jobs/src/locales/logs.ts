/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a job change of another process could not be handled": "未能处理其他进程关于后台任务的通知",
};
