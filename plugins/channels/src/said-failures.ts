import { failuresOf } from "@parley/core";

/** Creates localized errors about channels. */
export const channelFailure = failuresOf("channels", {
  built_in: {
    en: "the built-in channel '{id}' can be switched off, not deleted",
    zh: "内置渠道“{id}”只能停用，不能删除",
  },
  built_in_kept: { en: "a built-in channel keeps its type and transport", zh: "内置渠道的类型和连接方式不能更改" },
  closed_opening: { en: "the channel was closed while it was being opened", zh: "渠道在打开时被关闭" },
  config_large: { en: "is larger than 64 KiB", zh: "超过 64 KiB" },
  file_shape: { en: "must be an object with 'channels'", zh: "须为含有“channels”的对象" },
  file_secrets: { en: "must be an object with 'secrets'", zh: "须为含有“secrets”的对象" },
  full: { en: "there are already {most} channels", zh: "已有 {most} 个渠道" },
  no_credentials: {
    en: "channels of type '{type}' have no credentials to check",
    zh: "类型“{type}”的渠道没有可验证的凭据",
  },
  no_files: { en: "no enabled plugin stores files", zh: "没有已启用的插件可保存文件" },
  no_link: { en: "the adapter returned no connection that can send", zh: "适配器没有给出可用于发送的连接" },
  of_node: {
    en: "another node holds this channel's connection: use that node",
    zh: "渠道连接在其他节点上，请在该节点操作",
  },
  one_only: { en: "there is one '{type}' channel, and it is built in", zh: "类型“{type}”的渠道只有一个，且已内置" },
  open_late: {
    en: "the adapter did not open the channel within {seconds} s",
    zh: "适配器未能在 {seconds} 秒内打开渠道",
  },
  secret_kept: {
    en: "secrets cannot be stored here: name an environment variable in {key}_env",
    zh: "此处不保存密钥，请在 {key}_env 中填写环境变量名",
  },
  secret_signs: {
    en: "may contain only ASCII letters, digits and symbols",
    zh: "只能含有 ASCII 字母、数字和符号",
  },
  stray_secret: { en: "no setting uses this variable", zh: "没有设置使用此环境变量" },
  taken: { en: "'{id}' is taken", zh: "“{id}”已被使用" },
  too_often: { en: "too many requests from this address", zh: "此地址的请求过多" },
  variable_name: {
    en: "must be the name of an environment variable, and not one of the service's own",
    zh: "必须是环境变量名，且不能是服务自身的变量",
  },
});
