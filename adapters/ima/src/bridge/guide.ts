import type { GuideStep } from "@parley/core";

/** Instructions for connecting an account by a bridge. */
export const bridgeGuide: readonly GuideStep[] = [
  {
    text: {
      en: "Run a OneBot v11 bridge that is signed in with the bot's account.",
      zh: "运行一个已登录机器人账号的 OneBot v11 网桥。",
    },
    link: "https://11.onebot.dev",
  },
  {
    text: {
      en: "Enter the bridge's address and its access token, or choose reverse_ws and let the bridge connect to /ws/imA.",
      zh: "填写网桥的地址和访问令牌；或选择 reverse_ws，让网桥连接 /ws/imA。",
    },
  },
];
