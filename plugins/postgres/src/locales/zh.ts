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
  finding_failing: "无法使用数据库：{reason}",
  finding_failing_advice: "请检查数据库服务器、网络以及存放其地址的环境变量；在此之前无法启动",
  finding_slow: "数据库应答需要 {ms} 毫秒；超过 {limit} 毫秒时，每条消息都会明显等待数据库",
  finding_slow_advice: "请将服务与数据库部署在同一机房，或检查二者之间的网络",
};
