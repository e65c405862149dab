import { failuresOf } from "@parley/core";

/** Localized errors of settings, statistics, updates and configuration packages. */
export const operationsFailure = failuresOf("operations", {
  no_setting: { en: "is not a setting of any enabled plugin", zh: "不是任何已启用插件的设置" },
  setting_near: { en: "is not a setting; did you mean {near}?", zh: "不是设置项，是否指“{near}”？" },
  setting_nested: { en: "must be nested, one object for each part of {near}", zh: "须按“{near}”的各段逐层嵌套" },
  file_no_object: { en: "must be an object of settings", zh: "须为设置的对象" },
  draining: {
    en: "this node is being drained: other nodes take new work",
    zh: "此节点不再接收新内容，由其他节点处理",
  },
  end_before: { en: "is before start_date, or is not a date", zh: "早于开始日期，或不是有效的日期" },
  import_confirm: { en: "this replaces existing items: needs confirm: true", zh: "导入会替换现有内容，需要确认" },
  kdf: {
    en: "the package's manifest cannot be used: kdf demands too many resources",
    zh: "配置包的清单无法使用：kdf 要求的资源过多",
  },
  manifest: { en: "the package's manifest cannot be used: {reason}", zh: "配置包的清单无法使用（{reason}）" },
  missing: { en: "is missing", zh: "缺少" },
  names_form: { en: "must be a JSON list, or names separated by commas", zh: "须为 JSON 列表，或以逗号分隔的名称" },
  no_asking: { en: "update checks are switched off in the settings", zh: "设置中已关闭更新检查" },
  not_in_package: { en: "'{id}' is not in the package", zh: "配置包中没有“{id}”" },
  package_large: {
    en: "the package would be larger than an import accepts: select fewer sections",
    zh: "配置包会超出可导入的大小，请少选几个部分",
  },
  part_wrong: { en: "{reason}", zh: "内容不符合要求（{reason}）" },
  person_for_backup: {
    en: "a backup can be downloaded only when signed in, not with an API key",
    zh: "下载备份须登录后进行，不能使用 API 密钥",
  },
  plugins_elsewhere: { en: "change plugins at /api/plugins", zh: "请在 /api/plugins 修改" },
  range_long: { en: "at most {most} days after start_date", zh: "最晚为开始日期后 {most} 天" },
  range_twice: { en: "cannot be used together with the two dates", zh: "不能与起止日期同时填写" },
  registry_answers: { en: "the registry answered {status} for {name}", zh: "查询 {name} 时软件源返回了 {status}" },
  registry_silent: {
    en: "the registry does not give a version of {name}",
    zh: "软件源没有说明 {name} 的版本",
  },
  restart_confirm: {
    en: "the service is not there for some seconds: needs confirm: true",
    zh: "服务会中断数秒，需要确认",
  },
  secret_here: {
    en: "secrets cannot be stored here: name an environment variable in {name}",
    zh: "密钥不保存在此处，请在 {name} 中填写环境变量名",
  },
  settings_large: { en: "are larger than 256 KiB", zh: "超过 256 KiB" },
});
