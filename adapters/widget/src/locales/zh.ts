import type { en } from "./en.ts";

/** Chinese texts of the website channel. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  visitor: "访客 {number}",
  foreign_origin: "该网站的页面不能显示此聊天窗口：请把其来源加入渠道的“允许的网站”",
  foreign_host: "主机名不属于本服务",
  no_script: "聊天窗口的脚本尚未构建",
  unknown_visitor: "访客身份已失效",
  blocked: "您无法使用此聊天窗口",
  not_greeted: "请先发送 hello 帧",
  unknown_type: "未知的帧类型 {type}",
  empty: "请输入文字或添加文件",
  too_fast: "消息过于频繁，请等待 {seconds} 秒",
  many_sockets: "打开的连接过多",
  files_off: "此处不能发送文件",
  file_unknown: "文件已不存在，请重新添加",
  file_missing: "请添加一个文件",
  visitor_missing: "须位于文件之前",
  no_presses: "按钮不可用",
  internal: "内部错误",
};
