import type { ChannelFeature, ElementType, IdempotencyMode, Localized } from "@parley/core";
import { answerInteraction } from "../discord/answer-interaction.ts";
import { readGoogleText } from "../google/read-google-text.ts";
import { sendByFetch } from "../google/send-by-fetch.ts";
import { findSlackPressPlace } from "../inbound/slack-press-place.ts";
import type { RequestAddresses } from "./package-network.ts";

/** An option of an adapter package, by the package's own name. */
export interface PackageOption {
  readonly name: string;
  /** Variable of its secret; the setting is then `<name>_env`. */
  readonly variable?: string;
  readonly title: Localized;
  readonly help: Localized;
  readonly kind?: "flag" | "address" | "json";
  /** True when the platform's requests cannot be verified, or none sent, without it. */
  readonly isRequired?: boolean;
}

/** An adapter package of the Chat SDK that the service knows. */
export interface KnownPackage extends RequestAddresses {
  readonly title: Localized;
  readonly options: readonly PackageOption[];
  /** Features of the platform's adapter; typing and recall are offered only where they are named. */
  readonly features: readonly ChannelFeature[];
  /** `reconcile` where the platform's history shows what was sent. */
  readonly idempotency: IdempotencyMode;
  /** Longest message that the platform takes, in characters. */
  readonly maxLength: number;
  /** True when the package escapes characters that only resemble marks, so that a text without marks is sent as it is. */
  readonly escapesMarks?: boolean;
  /** True when the platform formats Markdown itself, except tables, so that a text is sent as it is. */
  readonly formatsMarkdown?: boolean;
  /** Id by which the adapter finds the bot's own account, to check the credentials. Default: the id that it found when it was opened. */
  readonly ownAccount?: string;
  /** True when the package makes its requests by the global `fetch` or by the channel's own. */
  readonly usesFetch?: boolean;
  /** Makes the clients of an adapter send by this function, where they do not use the global one. */
  readonly prepare?: (adapter: object, given: typeof fetch) => void;
  /** True when the platform only sends a bot what is meant for it. */
  readonly sendsMentionsOnly?: boolean;
  /** Returns the text of a message as received, without the mention of the bot; undefined when the package's is right. */
  readonly readText?: (request: unknown) => string | undefined;
  /** True when messages come over a connection to Discord's gateway, and not by webhook. */
  readonly hasGateway?: boolean;
  /** Returns the answer to a request in place of the package's, given the reason for which a press was refused; undefined where that is right. */
  readonly answerInteraction?: (request: unknown, answer: string, refusal: string) => string | undefined;
  /** Returns the conversation of a press where the package takes another one; undefined where it is right. */
  readonly findPressPlace?: (press: unknown) => string | undefined;
  /** Elements that the package shows as the platform's own. */
  readonly elements?: readonly ElementType[];
  /** True when the adapter asks the platform who the bot is, and recognizes mentions by that. */
  readonly hasIdentity?: boolean;
}

const API_URL: PackageOption = {
  name: "apiUrl",
  kind: "address",
  title: { en: "API server", zh: "API 服务器" },
  help: {
    en: "Address of another API server. Empty: the platform's own",
    zh: "其他 API 服务器的地址；留空使用平台默认",
  },
};

const COMMON_FEATURES: readonly ChannelFeature[] = ["files_in", "files_out", "formatting", "typing"];

/** Packages by the word that follows `@chat-adapter/`. Their options are named as in the packages' documentation. */
export const KNOWN_PACKAGES: Readonly<Record<string, KnownPackage>> = {
  slack: {
    title: { en: "Slack", zh: "Slack" },
    features: [...COMMON_FEATURES, "groups", "threads", "buttons", "lists", "cards", "edits", "deletions", "recall"],
    idempotency: "reconcile",
    maxLength: 12_000,
    elements: ["buttons", "select", "card"],
    findPressPlace: findSlackPressPlace,
    usesFetch: true,
    hasIdentity: true,
    options: [
      {
        name: "botToken",
        variable: "SLACK_BOT_TOKEN",
        isRequired: true,
        title: { en: "Bot token", zh: "机器人令牌" },
        help: {
          en: "Environment variable with the Bot User OAuth Token (xoxb-…): api.slack.com/apps → your app → OAuth & Permissions",
          zh: "保存 Bot User OAuth Token（xoxb-…）的环境变量：api.slack.com/apps → 应用 → OAuth & Permissions",
        },
      },
      {
        name: "signingSecret",
        variable: "SLACK_SIGNING_SECRET",
        isRequired: true,
        title: { en: "Signing secret", zh: "签名密钥" },
        help: {
          en: "Environment variable with the signing secret: your app → Basic Information → App Credentials",
          zh: "保存签名密钥的环境变量：应用 → Basic Information → App Credentials（凭据）",
        },
      },
      API_URL,
    ],
  },
  discord: {
    title: { en: "Discord", zh: "Discord" },
    features: [...COMMON_FEATURES, "groups", "threads", "buttons", "cards", "edits", "deletions", "recall"],
    idempotency: "reconcile",
    // The platform takes 2,000; the package cuts off what exceeds that, and widens tables.
    maxLength: 1_800,
    formatsMarkdown: true,
    ownAccount: "@me",
    usesFetch: true,
    fixedUrls: ["https://discord.com/api/v10"],
    hasGateway: true,
    answerInteraction,
    // The package leaves out lists.
    elements: ["buttons", "card"],
    options: [
      {
        name: "botToken",
        variable: "DISCORD_BOT_TOKEN",
        isRequired: true,
        title: { en: "Bot token", zh: "机器人令牌" },
        help: {
          en: "Environment variable with the bot's token: discord.com/developers → your application → Bot",
          zh: "保存机器人令牌的环境变量：discord.com/developers → 应用 → Bot",
        },
      },
      {
        name: "publicKey",
        variable: "DISCORD_PUBLIC_KEY",
        isRequired: true,
        title: { en: "Public key", zh: "公钥" },
        help: {
          en: "Environment variable with the public key: your application → General Information",
          zh: "保存公钥的环境变量：应用 → General Information",
        },
      },
      {
        name: "applicationId",
        variable: "DISCORD_APPLICATION_ID",
        isRequired: true,
        title: { en: "Application ID", zh: "应用 ID" },
        help: {
          en: "Environment variable with the application ID: your application → General Information",
          zh: "保存应用 ID 的环境变量：应用 → General Information",
        },
      },
      API_URL,
    ],
  },
  gchat: {
    title: { en: "Google Chat", zh: "Google Chat" },
    // The package cannot upload.
    features: ["files_in", "formatting", "groups", "threads", "recall"],
    // Google returns the message that was created with the same `requestId`.
    idempotency: "native_key",
    keyParameter: "requestId",
    maxLength: 4_000,
    escapesMarks: true,
    sendsMentionsOnly: true,
    usesFetch: true,
    prepare: sendByFetch,
    readText: readGoogleText,
    fixedUrls: ["https://oauth2.googleapis.com", "https://www.googleapis.com"],
    options: [
      {
        name: "credentials",
        variable: "GOOGLE_CHAT_CREDENTIALS",
        kind: "json",
        isRequired: true,
        title: { en: "Service account", zh: "服务账号" },
        help: {
          en: "Environment variable with the JSON key of a service account: console.cloud.google.com → IAM & Admin → Service Accounts → Keys",
          zh: "保存服务账号 JSON 密钥的环境变量：console.cloud.google.com → IAM 和管理 → 服务账号 → 密钥",
        },
      },
      {
        name: "googleChatProjectNumber",
        variable: "GOOGLE_CHAT_PROJECT_NUMBER",
        isRequired: true,
        title: { en: "Project number", zh: "项目编号" },
        help: {
          en: "Environment variable with the project number, which Google's requests are signed for: Cloud console → Welcome page",
          zh: "保存项目编号的环境变量，Google 的请求以其为签名受众：Cloud 控制台首页",
        },
      },
      {
        name: "botUserId",
        title: { en: "Bot's user ID", zh: "机器人用户 ID" },
        help: {
          en: "users/<number>, where other bots take part: the bot then tells its own messages from theirs. Empty: messages of bots are left out",
          zh: "users/<编号>；有其他机器人参与时用于区分自己的消息；留空则忽略所有机器人的消息",
        },
      },
      {
        name: "endpointUrl",
        kind: "address",
        title: { en: "Public address", zh: "公开地址" },
        help: {
          en: "The channel's address as entered at Google, to which presses of buttons are sent",
          zh: "在 Google 填写的渠道地址，按钮点击会发送到此地址",
        },
      },
      API_URL,
    ],
  },
  whatsapp: {
    title: { en: "WhatsApp", zh: "WhatsApp" },
    features: COMMON_FEATURES,
    // The platform gives no history.
    idempotency: "none",
    // The platform takes 4,096; marks are added to the text.
    maxLength: 3_500,
    usesFetch: true,
    escapesMarks: true,
    options: [
      {
        name: "accessToken",
        variable: "WHATSAPP_ACCESS_TOKEN",
        isRequired: true,
        title: { en: "Access token", zh: "访问令牌" },
        help: {
          en: "Environment variable with a system user's access token: Meta Business Settings → System users",
          zh: "保存系统用户访问令牌的环境变量：Meta 商务设置 → 系统用户",
        },
      },
      {
        name: "appSecret",
        variable: "WHATSAPP_APP_SECRET",
        isRequired: true,
        title: { en: "App secret", zh: "应用密钥" },
        help: {
          en: "Environment variable with the app secret, which signs messages: developers.facebook.com → your app → App settings",
          zh: "保存应用密钥的环境变量，用于消息签名：developers.facebook.com → 应用 → 应用设置",
        },
      },
      {
        name: "verifyToken",
        variable: "WHATSAPP_VERIFY_TOKEN",
        isRequired: true,
        title: { en: "Verify token", zh: "验证令牌" },
        help: {
          en: "Environment variable with a word of your own, which you enter with the address at Meta",
          zh: "保存自定义验证词的环境变量，在 Meta 与地址一同填写",
        },
      },
      {
        name: "phoneNumberId",
        variable: "WHATSAPP_PHONE_NUMBER_ID",
        isRequired: true,
        title: { en: "Phone number ID", zh: "电话号码 ID" },
        help: {
          en: "Environment variable with the ID of the phone number: your app → WhatsApp → API Setup",
          zh: "保存电话号码 ID 的环境变量：应用 → WhatsApp → API Setup",
        },
      },
      API_URL,
    ],
  },
};
