import type { GuideStep } from "@parley/core";

/** Instructions for putting the chat on a website. */
export const widgetGuide: readonly GuideStep[] = [
  {
    text: {
      en: "Enter the websites that may show the chat below, and save.",
      zh: "在下方填写可以显示聊天窗口的网站，然后保存。",
    },
  },
  {
    text: { en: "Put this line into their pages, before </body>.", zh: "把下面这一行放到网页的 </body> 之前。" },
    copy: '<script src="{public_url}/widget.js" data-channel="{channel_id}" async></script>',
  },
];
