import { type KeyOf, textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("settings", {
  title: ["Title", "标题"],
  timezone: ["Time zone", "时区"],
  timezoneHint: ["In which the days of statistics and usage begin.", "统计与用量按此时区划分日期。"],
  turnTimeout: ["Time limit of an answer (seconds)", "回答时限（秒）"],
  answers: ["Answer messages", "回答消息"],
  general: ["General", "常规"],
  answering: ["Answering", "回答"],
  peopleSettings: ["People", "人员"],
  network: ["Network", "网络"],
  answersHint: ["Off: messages are stored and nobody answers.", "关闭：消息会保存，但不回答。"],
  concurrency: ["Conversations answered at the same time", "同时回答的会话数"],
  maxUpload: ["Largest file (MB)", "最大文件（MB）"],
  adminIds: ["Administrators on channels", "渠道管理员"],
  adminIdsHint: ["Their ids on the platforms; they may use administrator commands.", "其平台 ID；可使用管理员命令。"],
  publicAddress: ["Public address", "公开地址"],
  publicAddressHint: ["Where people reach this service, when a proxy stands in front.", "通过代理访问时的服务地址。"],
  trustedProxies: ["Trusted proxies", "受信任的代理"],
  trustedProxiesHint: ["Addresses whose X-Forwarded headers are believed.", "信任其 X-Forwarded 请求头的地址。"],
  corsOrigins: ["Other origins", "其他来源"],
  corsOriginsHint: ["Their pages may call this service with a token.", "其页面可携带令牌调用本服务。"],
  gatewayPrivate: ["Deliveries may reach private addresses", "投递可访问内网地址"],
  fromEnvironment: ["Set by the environment.", "由环境变量设置。"],
  needsRestart: ["Takes effect after a restart.", "重启后生效。"],
});

export type TextKey = KeyOf<typeof useTexts>;
