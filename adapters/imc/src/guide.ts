import type { GuideStep } from "@parley/core";

/** Instructions for connecting an app of imC. */
export const imcGuide: readonly GuideStep[] = [
  {
    text: {
      en: "In the platform's developer console create an app with a bot; copy its app ID and app secret here.",
      zh: "在平台的开发者后台创建带机器人的应用，把应用 ID 和应用密钥填到此处。",
    },
    link: "https://open.feishu.cn/app",
  },
  {
    text: {
      en: "Under “Permissions”, grant what the bot needs to read and send messages, and publish a version of the app.",
      zh: "在“权限管理”中开通读取和发送消息所需的权限，并发布应用版本。",
    },
    copy: "im:message",
  },
  {
    text: {
      en: "Under “Events”, copy the encrypt key and the verification token here and save.",
      zh: "在“事件订阅”中把加密密钥和校验令牌填到此处并保存。",
    },
    transports: ["webhook"],
  },
  {
    text: { en: "There, enter this request address.", zh: "在该页填写此请求地址。" },
    transports: ["webhook"],
    copy: "{webhook_url}",
  },
  {
    text: {
      en: "Under “Events”, choose the long connection; then save here.",
      zh: "在“事件订阅”中选择长连接，然后在此保存。",
    },
    transports: ["websocket"],
  },
  {
    text: { en: "Subscribe to this event.", zh: "订阅此事件。" },
    copy: "im.message.receive_v1",
  },
  {
    text: {
      en: "Under “Callbacks”, choose the same way of delivery and subscribe to this callback, so that buttons work.",
      zh: "在“回调配置”中选择相同的接收方式并订阅此回调，按钮才能使用。",
    },
    copy: "card.action.trigger",
  },
];
