import Joi, { type ObjectSchema, type SchemaMap } from "@hapi/joi";
import { toLocalizedError } from "../../error-texts.ts";
import type { AppError, ErrorDetail } from "../../errors.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import type { Attachment, InboundMessage, OutboundMessage, Receipt } from "../../message.ts";
import { labelled } from "../../resource/field-schemas.ts";
import type { Accepted, ConversationMove } from "../../services/gateway/accepted.ts";
import type { Logger } from "../../services/operations/logger.ts";
import type { Files } from "../../services/storage/files.ts";
import type { Language } from "../../util/language.ts";
import { functionSchema, objectSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** Capabilities of a channel; every flag defaults to false. */
export interface Capabilities {
  readonly supports_stream: boolean;
  readonly supports_progress_updates: boolean;
  /** False sends a file as a line of text with its name, and its address when that is public. */
  readonly supports_file_send: boolean;
  readonly supports_stop: boolean;
  readonly supports_tools?: boolean;
}

/** Transport of a channel's messages; another word where none of these applies, such as `tcp`. */
export type Transport = "webhook" | "websocket" | "bridge" | "polling" | (string & {});

const transportName = Joi.string().pattern(/^[a-z][a-z0-9-]{0,31}$/, "a word in small letters");

/** Allowed idempotency modes of an adapter. */
const IDEMPOTENCY_MODES = ["native_key", "natural", "reconcile", "none"] as const;
/**
 * Idempotency mode of sends: the platform deduplicates by key (`native_key`), a repeat changes nothing (`natural`),
 * the outcome can be looked up (`reconcile`), or a repeat is unsafe (`none`).
 */
export type IdempotencyMode = (typeof IDEMPOTENCY_MODES)[number];

/** One configured channel: a row of data/channels.json. */
export interface ChannelConfig {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly transport: Transport;
  readonly enabled: boolean;
  /**
   * The adapter's own settings, validated by its `settings` schema, and the common ones (`COMMON_SETTINGS`). Secrets
   * appear only as variable names; their values are stored encrypted or come from the environment.
   */
  readonly config: Readonly<Record<string, unknown>>;
  readonly capabilities: Capabilities;
}

const LANGUAGES: readonly Language[] = ["en", "zh"];
const idList = Joi.array().items(Joi.string().trim().min(1).max(128)).max(1_000).unique().default([]);
const wakeWords = Joi.array().items(Joi.string().trim().min(1).max(40)).max(20).unique().default([]);
const optionalChoice = Joi.string().allow("").max(64);
const ratePerMinute = Joi.number().integer().min(0);

/** Platforms repeat a message for up to a day. */
export const MIN_DEDUPE_S = 86_400;

/** Settings common to all channels, independent of the adapter. */
export const COMMON_SETTINGS = {
  group_trigger: labelled(Joi.string().valid("mention", "all", "never").default("mention"), {
    title: { en: "In groups", zh: "群聊中" },
    help: { en: "When it answers in groups", zh: "在群里何时回答" },
    options: {
      mention: { en: "when mentioned or replied to", zh: "被提及或被回复时" },
      all: { en: "always", zh: "总是" },
      never: { en: "commands only", zh: "仅命令" },
    },
  }),
  wake_words: labelled(wakeWords, {
    title: { en: "Wake words", zh: "唤醒词" },
    help: {
      en: "In groups, it also answers messages that begin with one of these, such as its name. No effect where it only answers commands",
      zh: "群聊中，以这些词（如机器人的名字）开头的消息也会得到回复；仅回复命令时无效",
    },
  }),
  language: labelled(
    Joi.string()
      .valid("auto", ...LANGUAGES)
      .default("auto"),
    {
      title: { en: "Language", zh: "语言" },
      help: {
        en: "Language of the service itself on this channel: replies to commands, and messages when something goes wrong",
        zh: "服务自身在此渠道使用的语言：命令的回复，以及出错时的提示",
      },
      options: {
        auto: { en: "same as the sender", zh: "跟随发送者" },
        en: { en: "English", zh: "English" },
        zh: { en: "中文", zh: "中文" },
      },
    },
  ),
  model_id: labelled(optionalChoice, {
    title: { en: "Model", zh: "模型" },
    help: {
      en: "Used on this channel, unless a conversation has its own model",
      zh: "用于此渠道的回复；会话自行选择的模型优先",
    },
    record: "model",
  }),
  character_id: labelled(optionalChoice, {
    title: { en: "Character", zh: "角色" },
    help: {
      en: "Used on this channel, unless a conversation has its own character",
      zh: "在此渠道发言；会话自行绑定的角色优先",
    },
    record: "character",
  }),
  allow: idList.description("IDs of users and conversations to answer. Empty: everyone"),
  deny: idList.description("IDs of users and conversations never to answer, not even their commands"),
  rate_limits: Joi.object({
    user: ratePerMinute,
    conversation: ratePerMinute,
    ip: ratePerMinute,
    channel: ratePerMinute,
  })
    .default({})
    .description("Messages per minute. 0: no limit. The limit per address is for webhooks without a secret"),
  dedupe_ttl_s: Joi.number()
    .integer()
    .min(MIN_DEDUPE_S)
    .max(2_592_000)
    .default(259_200)
    .description("Seconds in which duplicates are recognised. At least one day"),
  on_unknown: labelled(Joi.string().valid("review", "resend", "drop").default("review"), {
    title: { en: "Replies with unconfirmed delivery", zh: "不确定是否送达的回复" },
    help: { en: "What to do with a reply that may or may not have been delivered", zh: "不确定是否送达的回复如何处理" },
    options: {
      review: { en: "ask a person", zh: "人工确认" },
      resend: { en: "send it again", zh: "重发" },
      drop: { en: "give up", zh: "放弃" },
    },
  }),
} satisfies SchemaMap;
/** Key of a common channel setting. */
export type CommonSetting = keyof typeof COMMON_SETTINGS;

/**
 * Abort reason when the whole plugin set is replaced: the same channel of the next set may continue the connection.
 * Adapters that keep connections open for it store them with `acrossReloads`.
 */
export const LEFT_TO_NEXT: Error = new Error("the plugins are replaced");

/** Connects one type of channel; one adapter serves all channels of its type. */
export interface ChannelAdapter {
  /** The channel `type` this adapter serves, e.g. `imB`. */
  readonly type: string;
  /** Name of the type for people who add a channel. Absent: the type itself. */
  readonly title?: Localized;
  readonly transports: readonly Transport[];
  /** Capabilities of new channels of this type; omitted flags are false. Operators may switch flags off. */
  readonly capabilities: Partial<Capabilities>;
  /** Schema of `config`, with defaults; also the console's form. */
  readonly settings: ObjectSchema;
  /** Common settings without effect on this type; they are neither offered nor stored. */
  readonly unusedSettings?: readonly CommonSetting[];
  /** Returns initial settings of a new channel where none are given, such as a generated secret. */
  newSettings?(channelId: string): Readonly<Record<string, unknown>>;
  readonly idempotency: IdempotencyMode;
  /** True when a group message blocked by the filter is deleted on the platform by `recall`. */
  readonly withdrawsBlocked?: boolean;
  /** Returns the path that the platform posts to, when the adapter has its own route; else `/api/gateway/<id>/webhook`. */
  webhookPath?(channelId: string): string;
  /** Returns true when a platform id belongs to a group, for a conversation without messages. Absent: ids do not reveal it. */
  isGroup?(conversationId: string): boolean;
  /**
   * Returns false when these settings allow no sends: messages are then recorded but not answered, and the
   * connection's warnings explain it. Absent: sends are possible.
   */
  canSend?(channel: ChannelConfig): boolean;
  /** Audio types that the platform plays, such as `audio/ogg`; voice replies use no other. Absent: any. */
  readonly playsAudio?: readonly string[];
  /** Milliseconds one `send` may take before it counts as ambiguous. Default 30,000. */
  readonly sendTimeoutMs?: number;
  /**
   * Verifies the credentials with the platform, without side effects. Rejects with `DeliveryError` carrying the
   * platform's message, `unavailable` when a credential is missing. Absent: the platform offers no such call.
   */
  check?(channel: ChannelConfig, io: Pick<ChannelIo, "secret" | "fetch">, signal: AbortSignal): Promise<CheckedAccount>;
  /**
   * Connects one configured channel; the link lives until it is disposed. Aborted: throws, and leaves nothing open. When the
   * link is disposed the signal has aborted; its reason is `LEFT_TO_NEXT` where the whole set of plugins ends.
   */
  open(channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink>;
}

/** The platform account of a channel. */
export interface CheckedAccount {
  /** Account name that people search for, such as `@parley_bot`. */
  readonly account: string;
  /** Latest problems reported by the platform. */
  readonly warnings?: readonly string[];
  /** Localized details of `warnings`, in the same order; null for an English-only one. */
  readonly warningDetails?: readonly (ErrorDetail | null)[];
}

/** Service functions that a channel connection uses. */
export interface ChannelIo {
  /** Hands over one event. Resolves once it is durable; acknowledge it to the platform only then. */
  accept(message: InboundMessage): Promise<Accepted>;
  /** The platform gave a conversation another id; resolves once that is stored. Sends may also fail with `migrated`. */
  moved(move: Omit<ConversationMove, "channelId">): Promise<void>;
  /** The link's state for the console; reconnecting adapters call it at each change. */
  report(state: LinkState): void;
  /** Returns the value of a variable named in the settings: the one stored for this channel, else the environment's. Read it on every use. */
  secret(variable: string): string | undefined;
  readonly fetch: typeof fetch;
  /** The service's files, for attachments of replies with a `/static/files/…` URL. */
  readonly files: Pick<Files, "open" | "link">;
  readonly log: Logger;
}

/** A file of the platform: its bytes, or a public address that needs no secret. */
export type ChannelFile = { readonly name?: string } & (
  | { readonly body: Uint8Array | AsyncIterable<Uint8Array> }
  | { readonly url: string }
);

/** Connection state of a channel as the console shows it. */
export interface LinkState {
  readonly connected: boolean;
  readonly error?: string;
  /** Localized detail of `error`. */
  readonly detail?: ErrorDetail;
  /** True when the platform confirms that it sends here; with webhooks this is otherwise unknown until the first one. */
  readonly receives?: boolean;
  /** Warnings for operators while the connection works: an endpoint without a secret, an account that is offline. */
  readonly warnings?: readonly string[];
  /** Localized details of `warnings`, in the same order; null for an English-only one. */
  readonly warningDetails?: readonly (ErrorDetail | null)[];
}

/** Returns warnings of a connection with their localized details. */
export function toWarnings(failures: readonly AppError[]): Pick<Required<LinkState>, "warnings" | "warningDetails"> {
  const localized = failures.map(toLocalizedError);
  return {
    warnings: localized.map(({ error }) => error),
    warningDetails: localized.map(({ detail }) => detail ?? null),
  };
}

/** A message that shows a reply while it is generated. */
export interface ReplyDraft {
  /** Shows the whole text so far. Never throws or waits; updates that come too fast are merged into the next one. */
  update(text: string): void;
  /** Ends the draft. Returns the platform's id of the message, if there is one; the reply is then sent with `completes`. */
  end(): Promise<string | undefined>;
}

/** One open connection of one channel. */
export interface ChannelLink extends AsyncDisposable {
  /**
   * Resolves when the platform's rate limits allow this message: those of the chat and the account, and any requested
   * wait. Rejects when aborted. Awaited before the message is marked as being sent, so that a process that dies
   * meanwhile leaves no unknown outcome. Absent: no limit.
   */
  pace?(message: OutboundMessage, signal: AbortSignal): Promise<void>;
  /**
   * Sends one part at once: it never waits for the link's own `pace`. Throws `DeliveryError`; any other error counts as
   * `ambiguous`. After disposal it fails with `not_sent`.
   */
  send(message: OutboundMessage, signal: AbortSignal): Promise<Receipt>;
  /** Splits a text into parts that the platform accepts. Absent: texts are sent whole. */
  split?(text: string): readonly string[];
  /** True for a sticker that the platform shows as a picture; others are left out. Absent: as the channel takes files. */
  showsSticker?(sticker: Attachment): boolean;
  /** Receives a webhook; present when the platform uses them. Rejects with `unauthorized` for a wrong secret or signature. */
  receive?(request: WebhookRequest): Promise<WebhookAnswer>;
  /** True when no secret is configured, so anyone who knows the address may post; each client address is then limited to a few requests a minute. */
  readonly isOpen?: boolean;
  /** Shows a draft of the reply; only for channels with `supports_stream`, and only when no filter may change the text. */
  draft?(
    conversation: OutboundMessage["conversation"],
    replyTo: string | undefined,
    /** Called once, with the platform's id of the message, as soon as there is one. */
    shown: (messageId: string) => void,
  ): ReplyDraft;
  /** Shows a typing indicator in the conversation; lasts some seconds. A failure is ignored. */
  typing?(conversationId: string, signal: AbortSignal): Promise<void>;
  /** Deletes a message on the platform; only where that is allowed. */
  recall?(platformMessageId: string, conversationId: string, signal: AbortSignal): Promise<void>;
  /**
   * Fetches the file of an attachment with a `channelFileUrl`. The message's turn calls it once; an error becomes a
   * note in the text. Absent: attachment URLs need no adapter.
   */
  fetchFile?(attachment: Attachment, signal: AbortSignal): Promise<ChannelFile>;
  /** Looks up a message whose send had an unknown outcome; only with mode `reconcile`. */
  reconcile?(message: OutboundMessage, signal: AbortSignal): Promise<"delivered" | "absent" | "unknown">;
}

/** A webhook request of a platform. */
export interface WebhookRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Exactly the bytes received, since signatures are computed over them. */
  readonly body: Uint8Array;
  readonly address: string;
  /** True when the caller is authorized to act for the platform, so that secret and signature are not checked. */
  readonly isVerified?: boolean;
  /** Receives the messages of the request instead of `io.accept`, so that the caller learns their outcome. */
  readonly accept?: ChannelIo["accept"];
}

/** Answer to a webhook request. */
export interface WebhookAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly body: unknown;
}

/** Adapters of channel types. */
export const ChannelAdapters: ExtensionPoint<ChannelAdapter> = extensionPoint("channel-adapters", {
  accept: validateWith(
    Joi.object({
      type: wordSchema.required(),
      title: Joi.object({ en: Joi.string().required(), zh: Joi.string().required() }),
      transports: Joi.array().items(transportName).min(1).required(),
      capabilities: Joi.object().pattern(Joi.string(), Joi.boolean()).required(),
      settings: objectSchema.required(),
      idempotency: Joi.valid(...IDEMPOTENCY_MODES).required(),
      unusedSettings: Joi.array().items(Joi.valid(...Object.keys(COMMON_SETTINGS))),
      newSettings: functionSchema,
      check: functionSchema,
      withdrawsBlocked: Joi.boolean(),
      webhookPath: functionSchema,
      isGroup: functionSchema,
      canSend: functionSchema,
      playsAudio: Joi.array().items(Joi.string()),
      sendTimeoutMs: Joi.number().positive(),
      open: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "channel type", names: ({ type }) => [type] },
  ends: ["check", "open"],
  returns: [{ method: "open", ends: ["send", "receive", "typing", "recall", "fetchFile", "reconcile"] }],
});

/** Returns true when an id belongs to a group of a channel of this type, for a conversation without messages. */
export function isGroupId(adapters: readonly ChannelAdapter[], type: string, conversationId: string): boolean {
  return adapters.find((adapter) => adapter.type === type)?.isGroup?.(conversationId) ?? false;
}
