import { sentencesOf } from "@parley/core";

/** Why vectors are compared one by one, in both languages. */
export const comparingWarning = sentencesOf("text_index", {
  not_installed: { en: "pgvector is not installed on the server", zh: "数据库服务器未安装 pgvector" },
  old: {
    en: "pgvector is {version}, {least} is needed: alter extension vector update",
    zh: "pgvector 的版本是 {version}，需要 {least}：alter extension vector update",
  },
  out_of_reach: {
    en: "pgvector lies in a schema outside of the search path",
    zh: "pgvector 所在的 schema 不在搜索路径中",
  },
  waits: {
    en: "pgvector waits for an administrator of the database: create extension vector",
    zh: "pgvector 须由数据库管理员启用：create extension vector",
  },
});
