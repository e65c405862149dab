import type { GuideStep } from "@parley/core";

/** Instructions for connecting a bot of the open platform. */
export const botGuide: readonly GuideStep[] = [
  {
    text: {
      en: "In the platform's developer console create a bot; copy its app ID and app secret here.",
      zh: "在平台的开发者后台创建机器人，把应用 ID 和应用密钥填到此处。",
    },
    link: "https://q.qq.com",
  },
  {
    text: {
      en: "Check the credentials and save. The bot connects by itself and needs no public address.",
      zh: "验证凭据并保存。机器人会主动连接，不需要公开地址。",
    },
    transports: ["websocket"],
  },
  {
    text: {
      en: "Check the credentials and save; then enter this callback address in the developer console.",
      zh: "验证凭据并保存，然后在开发者后台填写此回调地址。",
    },
    transports: ["webhook"],
    copy: "{webhook_url}",
  },
];
