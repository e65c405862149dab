/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "an event could not be sent to the other nodes": "未能将事件发送给其他节点",
  "the secrets of a record cannot be opened": "记录中的密钥无法解密",
  "work that waits for nodes of other versions could not be done": "未能完成等待旧版本节点退出的工作",
};
