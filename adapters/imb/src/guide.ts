import type { GuideStep } from "@parley/core";

/** Instructions for connecting a bot of imB. */
export const imbGuide: readonly GuideStep[] = [
  {
    text: {
      en: "In the platform's app, send /newbot to @BotFather and copy the token you get into “Bot token”.",
      zh: "在平台中向 @BotFather 发送 /newbot，把得到的令牌填入“机器人令牌”。",
    },
    copy: "/newbot",
  },
  {
    text: {
      en: "To let the bot read all messages of its groups, send /setprivacy to @BotFather and choose “Disable”, or make the bot an administrator.",
      zh: "如需让机器人读取群里的所有消息，向 @BotFather 发送 /setprivacy 并选择“Disable”，或把机器人设为管理员。",
    },
    copy: "/setprivacy",
  },
  {
    text: {
      en: "Choose a webhook secret of letters, digits, - and _. The platform sends it with every message.",
      zh: "自定一个由字母、数字、- 和 _ 组成的 Webhook 密钥，平台每次发送消息都会带上它。",
    },
    transports: ["webhook"],
  },
  {
    text: {
      en: "Enter the public https address that leads to this service, check the token, and save.",
      zh: "填写通向本服务的公开 https 地址，验证令牌，然后保存。",
    },
    transports: ["webhook"],
    copy: "{webhook_url}",
  },
  {
    text: {
      en: "Save. The service fetches the messages itself, so it needs no public address.",
      zh: "保存即可。服务会自行拉取消息，不需要公开地址。",
    },
    transports: ["polling"],
  },
];
