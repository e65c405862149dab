/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a node sends no heartbeats: its work is taken over": "节点没有心跳，其工作已被接管",
  "a signal from another process could not be handled": "其他进程的通知未能处理",
  "data is stored in PostgreSQL": "数据保存在 PostgreSQL 中",
  "nothing can be stored": "无法保存数据",
  "storing works again": "数据保存已恢复",
  "the database is upgraded; a copy of its previous state is stored in a schema":
    "数据库已升级，升级前的数据保存在单独的模式中",
  "the node could not be restarted": "节点未能重新启动",
  "the other nodes considered this one offline: it restarts":
    "其他节点认为此节点已离线，此节点将放弃当前工作并重新启动",
};
