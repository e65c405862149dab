import { sentencesOf } from "@parley/core";

/** Localized reasons for comparing vectors one by one. */
export const comparingWarning = sentencesOf("text_index", {
  not_installed: { en: "pgvector is not installed on the server", zh: "数据库服务器未安装 pgvector" },
  old: {
    en: "pgvector {version} is installed, {least} is required: {command}",
    zh: "pgvector 的版本是 {version}，需要 {least}：{command}",
  },
  out_of_reach: {
    en: "pgvector is in a schema outside the search path",
    zh: "pgvector 所在的 schema 不在搜索路径中",
  },
  waits: {
    en: "pgvector must be enabled by a database administrator: {command}",
    zh: "pgvector 须由数据库管理员启用：{command}",
  },
});
