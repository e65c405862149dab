import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const HIDE_CONTENT = setting({
  key: "push.hide_content",
  schema: Joi.boolean().strict().default(false),
  group: "people",
  title: { en: "Notifications without content", zh: "通知不显示内容" },
  help: {
    en: "Notifications show only the sender. For screens that others can see.",
    zh: "通知只显示来自谁，不显示说了什么：适合他人可能看到屏幕的情况。",
  },
});

export const PLATFORM_SESSIONS = setting({
  key: "push.platform_sessions",
  schema: Joi.boolean().strict().default(false),
  group: "people",
  title: { en: "Notifications for conversations on platforms", zh: "平台会话也发通知" },
  help: {
    en: "Messages there are delivered by the platform itself. When on, the console notifies you of them too.",
    zh: "平台上的对话本来由平台送达；开启后控制台通知也会提示。",
  },
});

export const PRIVATE_ENDPOINTS = setting({
  key: "push.allow_private_endpoints",
  schema: Joi.boolean().strict().default(false),
  group: "network",
  title: { en: "Notifications may go to private addresses", zh: "通知可发往内网地址" },
  help: {
    en: "Needed for a push service in your own network. Also allows http there.",
    zh: "推送服务位于内网时需要；此时也允许使用 http。",
  },
});
