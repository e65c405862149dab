import { failuresOf } from "@parley/core";

/** Localized errors of inbound messages, deliveries and background work. */
export const gatewayFailure = failuresOf("gateway", {
  changed_since: {
    en: "the message cannot be replayed: {others} of the {all} messages before it have since been changed or deleted",
    zh: "无法重放此消息：之前的 {all} 条消息中有 {others} 条已更改或删除",
  },
  channel_often: { en: "too many messages on this channel", zh: "此渠道的消息过多" },
  console_channel: { en: "use web_send_message for the console", zh: "控制台请使用 web_send_message" },
  draining: { en: "this node is being drained: another one takes over", zh: "此节点正在停止，将由其他节点接收" },
  large_value: { en: "is larger than {most} KiB", zh: "超过 {most} KiB" },
  long_value: { en: "is longer than 128 characters", zh: "超过 128 个字符" },
  many_at_once: { en: "too many messages at once", zh: "同时到达的消息过多" },
  many_waiting: { en: "too many messages are already waiting", zh: "等待处理的消息过多" },
  may_repeat: {
    en: "it may already have been delivered: if you retry, the recipient may see it twice",
    zh: "可能已经送达，重试后对方可能看到两次",
  },
  needed: { en: "is required", zh: "必填" },
  needed_text: { en: "is required for a channel without a webhook", zh: "没有 Webhook 的渠道必填" },
  no_history: {
    en: "history is not stored: set [gateway] storage_enabled = true",
    zh: "没有保存历史记录，请设置 [gateway] storage_enabled = true",
  },
  no_other_node: { en: "no other node can take over this node's work", zh: "没有其他节点可以接手此节点的工作" },
  not_on_list: {
    en: "{id} is not a dead letter: it may have been retried already",
    zh: "{id} 不在死信列表中，可能已在重试",
  },
  not_recorded: { en: "the message was not recorded, or is still being processed", zh: "此消息没有记录，或尚未处理完" },
  of_somebody: { en: "node '{id}' was registered by someone else", zh: "节点“{id}”由他人注册" },
  old_record: {
    en: "the message cannot be replayed: an earlier version recorded it",
    zh: "无法重放此消息：记录来自旧版本",
  },
  outcome_unknown: {
    en: "the outcome of this call is unknown, so it is not repeated",
    zh: "此次调用的结果未知，不会重复调用",
  },
  replay_noted: { en: "the message cannot be replayed: {why}", zh: "无法重放此消息：{why}" },
  retry_failed: {
    en: "it could not be retried: see the log for the reason",
    zh: "无法重试，原因见日志",
  },
  stopping: { en: "the service is stopping", zh: "服务正在停止" },
  waits_long: {
    en: "the answer takes longer than this request can wait",
    zh: "回复用时超过此请求可等待的时间",
  },
  withheld: { en: "blocked by the filter: {rules}", zh: "被过滤规则拦截：{rules}" },
});
