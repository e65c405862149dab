import { type KeyOf, textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("channels", {
  channelsHint: [
    "Where messages come in and answers go out. Secrets are never kept here: name the environment variable that holds one.",
    "消息的入口与回复的出口。密钥不保存在此处：填写保存密钥的环境变量名。",
  ],
  addChannel: ["Add channel", "添加渠道"],
  channelKind: ["Kind", "种类"],
  channelId: ["Id", "ID"],
  channelIdHint: [
    "Part of its address and of its conversations' ids. It cannot be changed later.",
    "用于接收地址和会话 ID，之后不能修改。",
  ],
  channelIdLetters: ["Letters, digits, - and _", "字母、数字、- 和 _"],
  idTaken: ["Another channel has this id.", "此 ID 已被其他渠道使用。"],
  otherType: ["Another type", "其他类型"],
  channelType: ["Type", "类型"],
  channelTypeHint: [
    "As its package names it. A type that no package names is served by webhook.",
    "由所用的包定义。没有包定义的类型通过 Webhook 提供服务。",
  ],
  transportOfType: ["The usual one of this type", "该类型的默认方式"],
  channelConfigHint: [
    "As JSON. Leave it empty for the defaults; you can change everything later.",
    "JSON 格式。留空使用默认值，之后都可以修改。",
  ],
  presetImB: ["A bot that the platform calls by webhook", "由平台通过 Webhook 调用的机器人"],
  presetImC: ["An app that the platform calls by webhook", "由平台通过 Webhook 调用的应用"],
  presetImCSocket: [
    "An app that connects to the platform itself: needs no public address",
    "主动连接平台的应用，不需要公开地址",
  ],
  presetWebhook: ["Any program that can post JSON", "任何可以发送 JSON 的程序"],
  notInstalledShort: ["not installed", "未安装"],
  channelWaiting: ["running, waiting for the platform", "运行中，等待平台"],
  lastIn: ["last in", "最近收到"],
  lastOut: ["last out", "最近发出"],
  testMessage: ["Test message", "测试消息"],
  removeChannel: [
    "The channel and what waits to be sent on it are deleted. Its conversations stay.",
    "将删除该渠道及其待发送内容，会话保留。",
  ],
  missingVariables: ["Set where the service runs, then restart:", "请在服务运行处设置并重启："],
  webhookAddress: ["Receives at", "接收地址"],
  abilities: ["What it can do", "能力"],
  canStream: ["Show answers while they are made", "流式显示回复"],
  canProgress: ["Show progress", "显示进度"],
  canFiles: ["Send files", "发送文件"],
  canStop: ["Stop an answer", "停止回复"],
  canTools: ["Use tools", "使用工具"],
  registerWebhook: ["Register the webhook with the platform", "在平台注册 Webhook"],
  registerWebhookHint: [
    "The public https address; port 443, 80, 88 or 8443.",
    "公开的 https 地址；端口 443、80、88 或 8443。",
  ],
  register: ["Register", "注册"],
  registered: ["Registered:", "已注册："],
  needsHttps: [
    "The platform delivers to https only. Enter the public address, beginning with https://",
    "平台只发送到 https 地址。请填写以 https:// 开头的公开地址。",
  ],
  pendingUpdates: ["Messages that wait at the platform:", "平台上等待投递的消息："],
  lastWebhookError: ["What the platform last had trouble with:", "平台最近一次遇到的问题："],
  noTestWeb: ["This console is the channel: write in Conversations.", "此渠道就是本控制台：请在“会话”中发送。"],
  noTestOff: ["Switch the channel on first.", "请先启用该渠道。"],
  noTestAddress: [
    "It has no address to send to: fill in outbound_url in its settings.",
    "没有可发送的地址：请在设置中填写 outbound_url。",
  ],
  conversationId: ["Conversation", "会话"],
  conversationIdHint: [
    "The platform's id, as sessions of this channel show it after the colon.",
    "平台的会话 ID，即该渠道会话冒号后的部分。",
  ],
  isGroup: ["It is a group", "是群聊"],
  testText: ["Hello from Parley", "来自 Parley 的问候"],
  sentAs: ["Sent:", "已发送："],
  sentConfirmed: ["the platform has it", "平台已确认"],
  sentAccepted: ["the platform took it and does not say more", "平台已接收，未返回确认"],
  sendNow: ["Send", "发送"],
});

export type TextKey = KeyOf<typeof useTexts>;
