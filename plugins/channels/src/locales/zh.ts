import type { en } from "./en.ts";

/** Chinese texts of plugin channels. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  built_in: "内置渠道“{id}”只能停用，不能删除",
  built_in_kept: "内置渠道的类型和连接方式不能更改",
  closed_opening: "渠道在打开时被关闭",
  config_large: "超过 64 KiB",
  file_secrets: "须为含有“secrets”的对象",
  file_shape: "须为含有“channels”的对象",
  full: "已有 {most} 个渠道",
  no_credentials: "类型“{type}”的渠道没有可验证的凭据",
  no_files: "没有已启用的插件可保存文件",
  no_link: "适配器没有给出可用于发送的连接",
  of_node: "渠道连接在其他节点上，请在该节点操作",
  one_only: "类型“{type}”的渠道只有一个，且已内置",
  open_late: "适配器未能在 {seconds} 秒内打开渠道",
  secret_kept: "此处不保存密钥，请在 {key}_env 中填写环境变量名",
  secret_signs: "只能含有 ASCII 字母、数字和符号",
  stray_secret: "没有设置使用此环境变量",
  taken: "“{id}”已被使用",
  too_often: "此地址的请求过多",
  variable_name: "必须是环境变量名，且不能是服务自身的变量",
  transport: "类型“{type}”的渠道只能使用 {transports}",
  platform: "{reason}",
  platform_rejected: "平台拒绝：“{reason}”",
  setting: "设置 {setting}：{reason}",
  file_row: "{field}：{reason}",
};
