/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a blocked message could not be withdrawn on the platform": "无法在平台上撤回被拦截的消息",
  "a filter rule cannot be applied": "过滤规则无法应用",
  "a filter rule is disabled until it is edited: it timed out repeatedly": "过滤规则多次超时，在修改之前不再使用",
  "a filter rule was skipped for a message: it took too long": "过滤规则超时，已对一条消息跳过",
  "a pattern could not be analysed": "无法分析表达式",
  "a thread of the regular expressions had to be replaced": "正则表达式线程已重启",
  "hit counts could not be stored": "无法保存命中次数",
  "the filter rules were copied to the data folder, where they are read from now on":
    "过滤规则已复制到数据文件夹，今后从那里读取",
};
