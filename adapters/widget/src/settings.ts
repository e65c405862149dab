import Joi from "@hapi/joi";
import { textOf, withLabel, withPattern } from "@parley/core";

/** Settings of a chat on a website. */
export interface WidgetSettings {
  /** Origins of the pages that may show the chat; empty: the service's own origin only. */
  readonly allowed_origins: readonly string[];
  readonly title: string;
  readonly greeting: string;
  /** Accent colour as `#rrggbb`. */
  readonly color: string;
  readonly position: "right" | "left";
  readonly require_consent: boolean;
  /** Text that visitors agree to; empty: a general one in their language. */
  readonly consent_text: string;
  readonly files: boolean;
}

const MAX_ORIGINS = 50;

const originSchema = withPattern(Joi.string().lowercase().max(253), /^https?:\/\/[a-z0-9.\-[\]:]+$/, {
  en: "must be an origin such as https://example.org, without a path",
  zh: "须为来源，例如 https://example.org，不含路径",
});

export const widgetSettings = Joi.object<WidgetSettings>({
  allowed_origins: withLabel(Joi.array().items(originSchema).max(MAX_ORIGINS).unique().default([]), {
    title: { en: "Allowed websites", zh: "允许的网站" },
    help: {
      en: "Origins of the pages that show the chat, such as https://example.org. Empty: only pages of this service",
      zh: "显示聊天窗口的网页来源，例如 https://example.org；留空则仅限本服务自己的页面",
    },
  }),
  title: withLabel(textOf(60).default("Chat"), {
    title: { en: "Title", zh: "标题" },
    help: { en: "Name of the chat, above the messages", zh: "聊天窗口的名称，显示在消息上方" },
  }),
  greeting: withLabel(textOf(500).default(""), {
    title: { en: "Greeting", zh: "开场白" },
    help: { en: "Shown before the first message. Markdown", zh: "显示在第一条消息之前，支持 Markdown" },
    widget: "textarea",
  }),
  color: withLabel(
    withPattern(Joi.string(), /^#[0-9a-fA-F]{6}$/, {
      en: "must be a colour such as #0f766e",
      zh: "须为颜色，例如 #0f766e",
    }).default("#0f766e"),
    {
      title: { en: "Color", zh: "颜色" },
      help: { en: "Accent colour of the button and the visitor's messages", zh: "按钮和访客消息的主题色" },
      widget: "color",
    },
  ),
  position: withLabel(Joi.string().valid("right", "left").default("right"), {
    title: { en: "Position", zh: "位置" },
    help: { en: "Corner of the page in which the button is shown", zh: "按钮显示在页面的哪个角落" },
    options: { right: { en: "bottom right", zh: "右下角" }, left: { en: "bottom left", zh: "左下角" } },
  }),
  require_consent: withLabel(Joi.boolean().default(false), {
    title: { en: "Ask for consent first", zh: "先征得同意" },
    help: {
      en: "Nothing of a visitor is sent or stored before they agree",
      zh: "访客同意之前，不发送也不保存其任何数据",
    },
  }),
  consent_text: withLabel(textOf(1_000).default(""), {
    title: { en: "Consent text", zh: "同意说明" },
    help: {
      en: "What visitors agree to. Markdown; a link to your privacy policy belongs here. Empty: a general text",
      zh: "访客需要同意的内容，支持 Markdown，可在此放置隐私政策链接；留空使用通用说明",
    },
    widget: "textarea",
  }),
  files: withLabel(Joi.boolean().default(false), {
    title: { en: "Visitors may send files", zh: "访客可发送文件" },
    help: { en: "Up to 5 files of 10 MiB with each message", zh: "每条消息最多 5 个文件，每个不超过 10 MiB" },
  }),
});

/** True when pages of an origin may show the chat: those of the service itself, and those of the settings. */
export function isAllowedOrigin(
  origin: string,
  { allowed_origins }: WidgetSettings,
  own: readonly (string | undefined)[],
): boolean {
  return own.includes(origin) || allowed_origins.some((allowed) => URL.parse(allowed)?.origin === origin);
}
