/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "the platform does not say who the bot is; in groups only replies and commands reach it":
    "平台未返回机器人身份，群聊中只能收到回复和命令",
};
