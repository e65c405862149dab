import type { GuideStep } from "@parley/core";

/** An app with all that the adapter reads and sends, for Slack's form “From a manifest”. */
const SLACK_MANIFEST = `display_information:
  name: Parley
features:
  bot_user:
    display_name: Parley
    always_online: true
oauth_config:
  scopes:
    bot:
      - app_mentions:read
      - channels:history
      - channels:read
      - chat:write
      - files:read
      - files:write
      - groups:history
      - groups:read
      - im:history
      - im:read
      - mpim:history
      - mpim:read
      - reactions:read
      - reactions:write
      - users:read
settings:
  event_subscriptions:
    request_url: {webhook_url}
    bot_events:
      - app_mention
      - message.channels
      - message.groups
      - message.im
      - message.mpim
  interactivity:
    is_enabled: true
    request_url: {webhook_url}
`;

const SLACK: readonly GuideStep[] = [
  {
    text: {
      en: "Create an app “From a manifest” with this YAML: it has the address, the events and the scopes.",
      zh: "选择“From a manifest”创建应用，粘贴下面的 YAML：其中已包含地址、事件和权限。",
    },
    link: "https://api.slack.com/apps?new_app=1",
    copy: SLACK_MANIFEST,
  },
  {
    text: {
      en: "Install the app to your workspace. Copy the Bot User OAuth Token (OAuth & Permissions) and the signing secret (Basic Information) here, save, and switch the channel on.",
      zh: "将应用安装到工作区，把 Bot User OAuth Token（OAuth & Permissions）和 Signing Secret（Basic Information）填到此处，保存并启用渠道。",
    },
    link: "https://api.slack.com/apps",
  },
  {
    text: {
      en: "Under “Event Subscriptions”, let Slack verify the request URL.",
      zh: "在“Event Subscriptions”中让 Slack 验证请求地址。",
    },
    link: "https://api.slack.com/apps",
  },
  {
    text: {
      en: "In Slack, invite the bot to the channels in which it should answer.",
      zh: "在 Slack 中把机器人邀请到需要它回复的频道。",
    },
    copy: "/invite @Parley",
  },
];

const DISCORD: readonly GuideStep[] = [
  {
    text: {
      en: "Create an application; copy its application ID and public key (General Information) and the token of its bot (Bot) here.",
      zh: "创建应用，把应用 ID、公钥（General Information）和机器人令牌（Bot）填到此处。",
    },
    link: "https://discord.com/developers/applications",
  },
  {
    text: {
      en: "Under “Bot”, switch on “Message Content Intent”; without it Discord refuses the connection (4014).",
      zh: "在“Bot”中打开“Message Content Intent”，否则 Discord 会拒绝连接（4014）。",
    },
    link: "https://discord.com/developers/applications",
  },
  {
    text: {
      en: "Under “OAuth2”, make an address with the scope “bot” and the permissions to view channels, send messages also in threads, create public threads, attach files and read the message history; open it to invite the bot, and save here.",
      zh: "在“OAuth2”中勾选“bot”以及查看频道、发送消息（包括子区）、创建公开子区、附加文件、读取历史消息的权限，打开生成的地址邀请机器人，然后在此保存。",
    },
  },
];

const GOOGLE_CHAT: readonly GuideStep[] = [
  {
    text: {
      en: "Create a project, enable the Google Chat API, and copy the project number here.",
      zh: "创建项目并启用 Google Chat API，把项目编号填到此处。",
    },
    link: "https://console.cloud.google.com/apis/library/chat.googleapis.com",
  },
  {
    text: {
      en: "Create a service account and a JSON key for it; copy the content of the file here and save.",
      zh: "创建服务账号及其 JSON 密钥，把文件内容填到此处并保存。",
    },
    link: "https://console.cloud.google.com/iam-admin/serviceaccounts",
  },
  {
    text: {
      en: "In the API's configuration, choose “HTTP endpoint URL” with this address and the audience “Project number”; allow 1:1 messages and spaces.",
      zh: "在该 API 的配置中选择“HTTP endpoint URL”并填写此地址，受众选择“Project number”，允许单聊和聊天室。",
    },
    link: "https://console.cloud.google.com/apis/api/chat.googleapis.com/hangouts-chat",
    copy: "{webhook_url}",
  },
];

const WHATSAPP: readonly GuideStep[] = [
  {
    text: {
      en: "Create an app with the product WhatsApp; copy the access token, the app secret and the phone number ID here. Choose a verify token yourself and save.",
      zh: "创建带 WhatsApp 产品的应用，把访问令牌、应用密钥和电话号码 ID 填到此处，自定一个验证令牌并保存。",
    },
    link: "https://developers.facebook.com/apps",
  },
  {
    text: {
      en: "Under WhatsApp → Configuration, enter this callback URL with the verify token; the channel must be on.",
      zh: "在 WhatsApp → Configuration 中填写此回调地址和验证令牌；此时渠道须已启用。",
    },
    copy: "{webhook_url}",
  },
  {
    text: { en: "There, subscribe to this field.", zh: "在该页订阅此字段。" },
    copy: "messages",
  },
];

const OTHER: readonly GuideStep[] = [
  {
    text: {
      en: "Enter the credentials below and save; then enter this address where the platform asks for a webhook or request URL.",
      zh: "在下方填写凭据并保存，然后在平台的 Webhook 或请求地址处填写此地址。",
    },
    copy: "{webhook_url}",
  },
];

const GUIDES: ReadonlyMap<string, readonly GuideStep[]> = new Map([
  ["slack", SLACK],
  ["discord", DISCORD],
  ["gchat", GOOGLE_CHAT],
  ["whatsapp", WHATSAPP],
]);

/** Returns the instructions for connecting the platform of a package, by the word that follows `@chat-adapter/`. */
export function getGuide(word: string): readonly GuideStep[] {
  return GUIDES.get(word) ?? OTHER;
}
