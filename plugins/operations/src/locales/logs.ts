/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a changed setting could not be applied": "设置的更改未能生效",
  "a configuration package was created": "已导出配置包",
  "a configuration package was imported": "已导入配置包",
  "a schedule could not be planned": "无法安排计划",
  "a secret in the settings cannot be read: enter it again": "无法读取设置中的密钥，请重新输入",
  "a value of a setting is not valid; it is ignored": "设置的某个值无效，已忽略",
  "settings.json names settings that no enabled plugin has; they have no effect":
    "settings.json 中有些设置不属于任何已启用的插件，不会生效",
  "the log was cleared": "日志已清空",
};
