import { failuresOf } from "@parley/core";

/** Localized errors of the storage. */
export const storageFailure = failuresOf("postgres", {
  changed: { en: "the record was changed meanwhile", zh: "记录已被他人修改" },
  closed: { en: "the storage is closed", zh: "存储已关闭" },
  damaged: { en: "the database is damaged", zh: "数据库已损坏" },
  exists: { en: "a record with these values exists already", zh: "已有相同的记录" },
  not_open: { en: "the storage is not open", zh: "存储尚未打开" },
  statement: { en: "a statement failed", zh: "数据库操作失败" },
  taken_for_dead: { en: "the other nodes considered this node offline", zh: "此节点已被其他节点视为离线" },
});
