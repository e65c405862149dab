import type { en } from "./en.ts";

/** Chinese texts of plugin postgres. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  changed: "记录已被他人修改",
  closed: "存储已关闭",
  damaged: "数据库已损坏",
  exists: "已有相同的记录",
  not_open: "存储尚未打开",
  statement: "数据库操作失败",
  taken_for_dead: "此节点已被其他节点视为离线",
};
