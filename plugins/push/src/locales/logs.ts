/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "an approval notification could not be changed": "未能更新待批准操作的通知",
  "subscribers could not be notified of an answer": "未能发送新回答的通知",
  "notifications cannot be sent": "无法发送通知",
  "the subscriptions of an ended login could not be removed": "无法清理已结束登录的通知订阅",
};
