import type { ErrorText } from "./error-texts.ts";

/** What failures of `ERROR_TEXTS` say in Chinese; a text may do without a parameter of the English one. */
export const CHINESE_ERROR_TEXTS: Readonly<Record<ErrorText, string>> = {
  bridge_lost: "与网桥的连接已断开",
  channel_type_near: "未知的类型“{type}”，是否指“{near}”？",
  channel_type_unserved: "没有已安装的包支持类型“{type}”",
  changed_meanwhile: "记录已被他人修改，当前版本为 {revision}",
  import_running: "另一个导入正在进行，请在完成后重试",
  nothing_to_update: "没有需要更新的内容",
  not_a_package: "此文件不是配置包",
  not_found: "找不到“{id}”",
  no_such_row: "{path} 不存在，所属的插件可能已关闭",
  restarting: "服务正在重启",
  package_altered: "密码错误，或配置包在生成后被改动过",
  package_newer: "配置包的版本较新（{version}），请先更新此服务",
  package_too_large: "配置包解压后超出可导入的大小，未做任何更改",
  scope_missing: "当前凭据缺少权限“{scope}”",
  sign_in_first: "请先登录",
  setting_unused: "对此类渠道无效",
  setting_not_set: "尚未设置 {setting}",
  too_late: "{seconds} 秒内没有响应",
  too_many_at_once: "同时到达的请求过多",
  too_many_a_minute: "每分钟请求数超过 {most}",
  unknown_section: "没有已启用的插件支持配置部分“{section}”",
  variable_not_set: "环境变量 {variable} 未设置",
  wrong_login: "用户名或密码错误",
  wrong_password: "密码错误",
};
