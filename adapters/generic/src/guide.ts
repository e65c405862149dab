import type { GuideStep } from "@parley/core";

/** Instructions for connecting a program by webhooks. */
export const genericGuide: readonly GuideStep[] = [
  {
    text: {
      en: "Choose a token and enter it below. The sender passes it in the header X-Svc-Token.",
      zh: "自定一个令牌填在下面，发送方在请求头 X-Svc-Token 中携带它。",
    },
  },
  {
    text: {
      en: "Post JSON with “content” and “user_id” to this address.",
      zh: "把含 content 和 user_id 的 JSON 发送到此地址。",
    },
    copy: "{webhook_url}",
  },
  {
    text: {
      en: "Enter the address that answers are posted to, or choose “sync” to get them with the answer to the request.",
      zh: "填写接收回复的地址，或选择 sync 在请求的响应中返回回复。",
    },
  },
];
