import type { en } from "./en.ts";

/** Chinese texts of plugin text-index. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  closed: "文本索引已关闭",
  failed: "文本索引出错",
  not_installed: "数据库服务器未安装 pgvector",
  old: "pgvector 的版本是 {version}，需要 {least}：{command}",
  out_of_reach: "pgvector 所在的 schema 不在搜索路径中",
  waits: "pgvector 须由数据库管理员启用：{command}",
};
