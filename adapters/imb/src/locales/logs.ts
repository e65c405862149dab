/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "the platform does not say who the bot is; in groups only replies and commands reach it":
    "平台未返回机器人身份，群聊中只能收到回复和命令",
  "an update cannot be read and is skipped": "一条更新无法解析，已跳过",
  "an update could not be stored and is requested again": "一条更新暂时无法保存，将重新拉取",
};
