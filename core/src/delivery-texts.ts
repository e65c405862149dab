import { type ItemFailure, sentenceOf } from "./error-texts.ts";
import { DeliveryError, type DeliveryFailure, type ToldFailure } from "./errors.ts";
import type { Given, ParamsIn } from "./filled-in.ts";
import type { Localized } from "./localized.ts";

/**
 * Messages of failed deliveries. Older stored deliveries have only the English sentence, so each template begins
 * differently and ends with `{words}`, the platform's own message.
 */
const DELIVERY_TEXTS = {
  address_refused: { en: "this address is not allowed: {words}", zh: "不允许访问此地址：“{words}”" },
  blocked: {
    en: "the bot is blocked, or not in this conversation: {words}",
    zh: "机器人被屏蔽，或不在此会话中：“{words}”",
  },
  certificate: { en: "the certificate is not trusted: {words}", zh: "对方的证书不受信任：“{words}”" },
  closed: {
    en: "the server closed the connection before answering: {words}",
    zh: "对方在答复之前关闭了连接：“{words}”",
  },
  connect_late: { en: "no connection was made in time: {words}", zh: "未能及时建立连接：“{words}”" },
  credentials: { en: "the credentials were rejected: {words}", zh: "凭据被拒绝：“{words}”" },
  ended: { en: "the connection ended before the answer: {words}", zh: "连接在答复之前中断：“{words}”" },
  formatting: { en: "the platform does not accept this content: {words}", zh: "平台不接受此类内容：“{words}”" },
  host_unknown: { en: "the host name could not be resolved: {words}", zh: "找不到主机名：“{words}”" },
  late: { en: "no answer came in time: {words}", zh: "没有及时答复：“{words}”" },
  moved: { en: "the conversation has a new ID: {words}", zh: "会话的 ID 已改变：“{words}”" },
  network: { en: "the host cannot be reached over the network: {words}", zh: "网络无法到达该主机：“{words}”" },
  not_found: { en: "the conversation or message was not found: {words}", zh: "找不到目标会话或消息：“{words}”" },
  platform_down: { en: "the platform reported an error of its own: {words}", zh: "平台自身出错：“{words}”" },
  refused: { en: "the platform rejected it: {words}", zh: "平台拒绝：“{words}”" },
  refused_connection: { en: "the connection was refused: {words}", zh: "连接被拒绝：“{words}”" },
  throttled: { en: "too many requests, the platform asks to wait: {words}", zh: "请求过多，平台要求等待：“{words}”" },
  too_long: { en: "it is longer than the platform allows: {words}", zh: "内容超过平台允许的长度：“{words}”" },

  app_not_set: { en: "the app id or its secret is not set", zh: "未设置应用 ID 或其密钥" },
  attachment_strange: { en: "the attachment is none of this channel", zh: "附件不属于此渠道" },
  bridge_absent: { en: "{action}: the bridge is not connected", zh: "网桥未连接（{action}）" },
  bridge_late: { en: "{action}: no answer in time", zh: "网桥没有及时答复（{action}）" },
  bridge_lost: { en: "{action}: the connection was lost", zh: "与网桥的连接已断开（{action}）" },
  bridge_no_media: { en: "the bridge gives neither bytes nor an address", zh: "网桥没有给出文件内容或地址" },
  bridge_off: { en: "the bridge is not connected", zh: "网桥未连接" },
  bridge_only_posts: { en: "in mode http the bridge only posts events", zh: "http 模式下网桥只上报事件，无法发送" },
  bridge_refuses: { en: "the bridge rejected {action}: {words}", zh: "网桥拒绝了 {action}：“{words}”" },
  channel_closed: { en: "the channel is closed", zh: "渠道已关闭" },
  channel_gone: { en: "the channel does not exist any more", zh: "渠道已不存在" },
  file_large: { en: "the platform takes no file over {most} MB", zh: "平台不接受超过 {most} MB 的文件" },
  file_private: { en: "only files with a public address can be sent", zh: "只能发送有公开地址的文件" },
  file_unread: { en: "the file cannot be read", zh: "无法读取文件" },
  no_address: { en: "the channel has no address for answers", zh: "渠道没有用于回复的地址" },
  no_chat: { en: "the conversation is no chat", zh: "此会话不是聊天" },
  no_file_key: { en: "the platform gave no key for the file", zh: "平台没有给出文件的键" },
  no_file_path: { en: "getFile: the platform gives no path that can be fetched", zh: "平台没有给出可下载的路径" },
  no_group_no_person: {
    en: "the conversation is neither a group nor a person",
    zh: "此会话既不是群，也不是个人",
  },
  no_token_now: { en: "no access token now", zh: "暂时无法取得访问令牌" },
  not_in_time: { en: "it was not sent in time", zh: "未能及时发送" },
  receiver: { en: "the receiver answered {status}", zh: "接收方返回了 {status}" },
  receiver_redirects: {
    en: "the receiver answered {status}: redirects are not followed",
    zh: "接收方返回了 {status}，不跟随重定向",
  },
  variable: { en: "the variable {variable} is not set", zh: "环境变量 {variable} 未设置" },
  window_over: { en: "the message can no longer be answered", zh: "已超过可回复此消息的时限" },
  window_used: { en: "the message was answered five times", zh: "此消息已回复五次，不能再回复" },
} as const satisfies Readonly<Record<string, Localized>>;

type ParamsOf<Key extends keyof typeof DELIVERY_TEXTS> = ParamsIn<
  (typeof DELIVERY_TEXTS)[Key][keyof Localized],
  string | number
>;

/** Keys of the delivery texts whose only parameter is `words`, the platform's own message. */
export type PlatformText = {
  [Key in keyof typeof DELIVERY_TEXTS]: keyof ParamsOf<Key> extends "words"
    ? "words" extends keyof ParamsOf<Key>
      ? Key
      : never
    : never;
}[keyof typeof DELIVERY_TEXTS];

/** Returns a delivery message as a value instead of an error, such as the reason a delivery was dead-lettered. */
export function deliverySentence<Key extends keyof typeof DELIVERY_TEXTS>(
  key: Key,
  ...given: Given<ParamsOf<Key>>
): ItemFailure {
  return sentenceOf(`delivery.${key}`, DELIVERY_TEXTS[key], given[0] ?? {});
}

/** Creates a localized delivery error that ends with the platform's own message. */
export function deliveryFailure<Key extends keyof typeof DELIVERY_TEXTS>(
  failure: DeliveryFailure,
  key: Key,
  params: ParamsOf<Key>,
  options: ConstructorParameters<typeof DeliveryError>[2] = {},
): DeliveryError {
  const { error, detail } = sentenceOf(`delivery.${key}`, DELIVERY_TEXTS[key], params);
  return new DeliveryError(failure, error, { ...options, detail });
}

const PATTERNS = Object.entries(DELIVERY_TEXTS).map(([key, { en, zh }]) => ({
  key: `delivery.${key}`,
  chinese: zh,
  // The platform's words come last and may contain anything; other parameters are one word or a number.
  pattern: new RegExp(`^${en.replace("{words}", "(?<words>.+)").replaceAll(/\{(\w+)\}/g, "(?<$1>\\S+)")}$`, "s"),
}));

/** Returns the localized detail of a failed delivery, recognised by its English sentence where it has none; undefined when unknown. */
export function deliveryDetail(
  failed: string | (Pick<DeliveryError, "message"> & Partial<Pick<DeliveryError, "detail">>),
): ToldFailure["detail"] {
  if (typeof failed !== "string") return failed.detail ?? deliveryDetail(failed.message);
  for (const { key, chinese, pattern } of PATTERNS) {
    const found = pattern.exec(failed);
    if (found) return { key, chinese, params: { ...found.groups } };
  }
  return undefined;
}
