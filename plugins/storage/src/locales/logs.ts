/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a data loss is accepted, as requested": "已按要求接受数据丢失",
  "a database is upgraded; a copy of its previous state is stored": "数据库已升级，升级前的副本已保存",
  "changes after the damage are lost; the damaged log is kept as a copy": "损坏之后的内容已略去，损坏的日志另行保存",
  "nothing can be stored": "无法保存数据",
  "other users of this machine may read a database": "本机其他用户可能可以读取数据库",
  "storing works again": "数据保存已恢复",
};
