import Joi from "@hapi/joi";
import { RUN_TIMEOUT_S, setting } from "@parley/core";

const whole = (min: number, max: number) => Joi.number().integer().min(min).max(max).strict();

export const TURN_TIMEOUT_S = setting({
  key: "chat.turn_timeout_s",
  schema: whole(10, 1800).default(300),
  group: "answering",
  title: { en: "Time limit of an answer (seconds)", zh: "回答时限（秒）" },
  help: { en: "What is there by then is the answer.", zh: "超时后以已有内容作为回答。" },
});

export const CONCURRENCY = setting({
  key: "gateway.concurrency",
  schema: whole(1, 64).default(8),
  group: "answering",
  title: { en: "Conversations answered at the same time", zh: "同时回答的会话数" },
});

export const WORKER_AUTOSTART = setting({
  key: "gateway.worker_autostart",
  schema: Joi.boolean().strict().default(true),
  group: "system",
  needsRestart: true,
  title: { en: "Answer channels from the start", zh: "启动后即处理渠道消息" },
  help: {
    en: "Off: messages of channels wait until somebody starts the worker.",
    zh: "关闭后，渠道消息会等待，直到手动启动处理。",
  },
});

export const GATEWAY_SETTINGS = [TURN_TIMEOUT_S, RUN_TIMEOUT_S, CONCURRENCY, WORKER_AUTOSTART] as const;
