/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a channel that moves to another node could not be closed": "无法关闭移交给其他节点的渠道",
  "history could not be written": "无法写入历史记录",
  "partitions moved to other nodes": "部分渠道和会话已移交给其他节点",
  "renamed conversations could not be read": "无法读取会话的改名",
  "the node could not be marked as draining": "节点未能通报即将停止",
  "the node could not send its heartbeat": "节点未能上报状态",
  "the other nodes were not notified": "未能通知其他节点",
  "the state of the worker could not be stored for later nodes": "后来的节点无法得知处理已暂停或恢复",
  "this node cannot take over waiting work now": "暂时无法接手等待此节点的工作",
  "this node could not hand over its work": "未能移交此节点的工作",
};
