import Joi, { type ObjectSchema, type SchemaMap } from "@hapi/joi";
import { toldFailure } from "../../error-texts.ts";
import type { AppError, ErrorDetail } from "../../errors.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Attachment, InboundMessage, OutboundMessage, Receipt } from "../../message.ts";
import { type Localized, labelled } from "../../resource/field-schemas.ts";
import type { Accepted, ConversationMove } from "../../services/gateway/gateway.ts";
import type { Logger } from "../../services/operations/logger.ts";
import type { Files } from "../../services/storage/files.ts";
import type { Language } from "../../util/language.ts";
import { functionSchema, objectSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** What a channel can do for the AI; every flag defaults to false. */
export interface Capabilities {
  readonly supports_stream: boolean;
  readonly supports_progress_updates: boolean;
  /** False: a file is sent as a line of text with its name, and its address when that is public. */
  readonly supports_file_send: boolean;
  readonly supports_stop: boolean;
  readonly supports_tools?: boolean;
}

/** How a channel's messages come; another word where none of these says it, such as `tcp`. */
export type Transport = "webhook" | "websocket" | "bridge" | "polling" | (string & {});

const transportName = Joi.string().pattern(/^[a-z][a-z0-9-]{0,31}$/, "a word in small letters");

/** Why repeating a send is safe, or not. */
const IDEMPOTENCY_MODES = ["native_key", "natural", "reconcile", "none"] as const;
/** Why a send may be repeated: the platform knows its key, it changes nothing, one can ask, or it may not. */
export type IdempotencyMode = (typeof IDEMPOTENCY_MODES)[number];

/** One configured entrance: a row of data/channels.json. */
export interface ChannelConfig {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly transport: Transport;
  readonly enabled: boolean;
  /**
   * The adapter's own settings, valid by its `settings` schema, and those every channel has (`COMMON_SETTINGS`).
   * Secrets only as names of variables, whose values are kept encrypted or come from the environment.
   */
  readonly config: Readonly<Record<string, unknown>>;
  readonly capabilities: Capabilities;
}

const LANGUAGES: readonly Language[] = ["en", "zh"];
const idList = Joi.array().items(Joi.string().trim().min(1).max(128)).max(1_000).unique().default([]);
const wakeWords = Joi.array().items(Joi.string().trim().min(1).max(40)).max(20).unique().default([]);
const optionalChoice = Joi.string().allow("").max(64);
const ratePerMinute = Joi.number().integer().min(0);

/** Settings that every channel has, whatever its adapter. */
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
    .min(3_600)
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
/** The key of a setting that every channel has. */
export type CommonSetting = keyof typeof COMMON_SETTINGS;

/**
 * Why a link is closed with its whole set of plugins: when the next set has the same channel, it may go on with the connection.
 * An adapter that keeps connections open for it holds them with `acrossReloads`.
 */
export const LEFT_TO_NEXT: Error = new Error("the plugins are replaced");

/** How one kind of channel connects. One adapter serves every channel of its type. */
export interface ChannelAdapter {
  /** The channel `type` this adapter serves, e.g. `imB`. */
  readonly type: string;
  /** What people choose it by when they add a channel. Absent: its type. */
  readonly title?: Localized;
  readonly transports: readonly Transport[];
  /** What new channels of this type can do, flags left out being false; an operator may switch flags off. */
  readonly capabilities: Partial<Capabilities>;
  /** Validates `config`, gives its defaults and the console's form. */
  readonly settings: ObjectSchema;
  /** Of the settings that every channel has, those without effect here: they are not offered, and not kept. */
  readonly unusedSettings?: readonly CommonSetting[];
  /** What the settings of a new channel begin with where none are given, such as a secret of its own. */
  newSettings?(channelId: string): Readonly<Record<string, unknown>>;
  readonly idempotency: IdempotencyMode;
  /** True: a group message that the filter blocks is taken back on the platform, by `recall`. */
  readonly withdrawsBlocked?: boolean;
  /** Where the platform of a channel posts, when the adapter has a row of its own; else `/api/gateway/<id>/webhook`. */
  webhookPath?(channelId: string): string;
  /**
   * Whether an id of the platform is a group's, for a conversation that nobody has written in yet. Absent: it does not tell.
   */
  isGroup?(conversationId: string): boolean;
  /**
   * False: with these settings nothing can be sent. What comes in is recorded and not answered, as talk that is not meant for
   * the bot; the link's warnings say so. Absent: there is a way.
   */
  canSend?(channel: ChannelConfig): boolean;
  /** Types of sound that people of the platform can play, such as `audio/ogg`; answers are said in no other. Absent: any. */
  readonly playsAudio?: readonly string[];
  /** Milliseconds one `send` may take before it counts as ambiguous. Default 30,000. */
  readonly sendTimeoutMs?: number;
  /**
   * Asks the platform whose credentials these are, and changes nothing there. Throws `DeliveryError` with what the platform
   * says, `unavailable` when one is missing. Absent: there is nobody to ask.
   */
  check?(channel: ChannelConfig, io: Pick<ChannelIo, "secret" | "fetch">, signal: AbortSignal): Promise<CheckedAccount>;
  /**
   * Connects one configured channel; the link lives until it is disposed. Aborted: throws, and leaves nothing open. When the
   * link is disposed the signal has aborted; its reason is `LEFT_TO_NEXT` where the whole set of plugins ends.
   */
  open(channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink>;
}

/** The account that a channel speaks as, as its platform knows it. */
export interface CheckedAccount {
  /** What people find it by, such as `@parley_bot`. */
  readonly account: string;
  /** What the platform last had trouble with. */
  readonly warnings?: readonly string[];
  /** The same by their keys, in the same order, for those who read another language; null: it is known in English alone. */
  readonly warningDetails?: readonly (ErrorDetail | null)[];
}

/** What a link is given to talk to the service. */
export interface ChannelIo {
  /** Hands over one event. Resolves once it is stored for good; only then tell the platform that you have it. */
  accept(message: InboundMessage): Promise<Accepted>;
  /** The platform gave a conversation another id; resolves once that is stored. Sends may also fail with `migrated`. */
  moved(move: Omit<ConversationMove, "channelId">): Promise<void>;
  /** The link's state for the console; reconnecting adapters call it at each change. */
  report(state: LinkState): void;
  /** The value of a variable that the settings name: kept for this channel, else the environment's. Asked per use. */
  secret(variable: string): string | undefined;
  readonly fetch: typeof fetch;
  /** The service's files: what attachments of replies with a `/static/files/…` url are. */
  readonly files: Pick<Files, "open" | "link">;
  readonly log: Logger;
}

/** A file of the platform: its bytes, or a public address that they can be had from without any secret. */
export type ChannelFile = { readonly name?: string } & (
  | { readonly body: Uint8Array | AsyncIterable<Uint8Array> }
  | { readonly url: string }
);

/** How a link stands, as the console shows it. */
export interface LinkState {
  readonly connected: boolean;
  readonly error?: string;
  /** The same by its key, for those who read another language. */
  readonly detail?: ErrorDetail;
  /** True: the platform says that it sends here. Where messages come by webhook it is not known otherwise until one came. */
  readonly receives?: boolean;
  /** What an operator should know although it works: an entrance without a secret, an account that is offline. */
  readonly warnings?: readonly string[];
  /** The same by their keys, in the same order, for those who read another language; null: it is known in English alone. */
  readonly warningDetails?: readonly (ErrorDetail | null)[];
}

/** What a link warns of, each with what it takes to say it in the language of whoever reads it. */
export function warningsOf(failures: readonly AppError[]): Pick<Required<LinkState>, "warnings" | "warningDetails"> {
  const told = failures.map(toldFailure);
  return { warnings: told.map(({ error }) => error), warningDetails: told.map(({ detail }) => detail ?? null) };
}

/** An answer that is shown while it is made, by a message that grows. */
export interface ReplyDraft {
  /** The whole text so far. Never throws and never waits; what comes too fast is shown by the next one. */
  update(text: string): void;
  /** Shows nothing more. The platform's id of the message, if there is one: the answer then comes with `completes`. */
  end(): Promise<string | undefined>;
}

/** One open connection of one channel. */
export interface ChannelLink extends AsyncDisposable {
  /**
   * Resolves when the platform would take this message: waits for the platform's limits, of the chat and of the account, and
   * for as long as it asked to wait. Rejects when aborted. It is waited for before the message is noted as being sent, so that
   * a process that dies meanwhile leaves no doubt about it. Absent: the platform takes what comes.
   */
  pace?(message: OutboundMessage, signal: AbortSignal): Promise<void>;
  /**
   * Sends one part at once: it never waits for the link's own `pace`. Throws `DeliveryError`; any other error counts as
   * `ambiguous`. After disposal it fails with `not_sent`.
   */
  send(message: OutboundMessage, signal: AbortSignal): Promise<Receipt>;
  /** Cuts a text into parts the platform takes. Absent: texts are sent whole. */
  split?(text: string): readonly string[];
  /** Present when the platform delivers by webhook. Throws `unauthorized` when the secret or signature does not hold. */
  receive?(request: WebhookRequest): Promise<WebhookAnswer>;
  /** No secret is configured: whoever knows the address may post. Then each address is held to a few requests a minute. */
  readonly isOpen?: boolean;
  /** Only for channels with `supports_stream`, and only when nothing that is shown could be taken back by a filter. */
  draft?(
    conversation: OutboundMessage["conversation"],
    replyTo: string | undefined,
    /** Called once, with the platform's id of the message, as soon as there is one. */
    shown: (messageId: string) => void,
  ): ReplyDraft;
  /** Shows in the conversation that an answer is being made; lasts some seconds. Its failure means nothing. */
  typing?(conversationId: string, signal: AbortSignal): Promise<void>;
  /** Withdraws a message of the platform; only where it is allowed. */
  recall?(platformMessageId: string, conversationId: string, signal: AbortSignal): Promise<void>;
  /**
   * Fetches what an attachment with a `channelFileUrl` stands for. Asked by the turn of its message, once; what it throws
   * becomes a note in the text. Absent: attachments have addresses that need nothing but the address.
   */
  fetchFile?(attachment: Attachment, signal: AbortSignal): Promise<ChannelFile>;
  /** Whether the platform has a message whose send ended in doubt; only with mode `reconcile`. */
  reconcile?(message: OutboundMessage, signal: AbortSignal): Promise<"delivered" | "absent" | "unknown">;
}

/** What a platform posted. */
export interface WebhookRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Exactly the bytes received: signatures are over these. */
  readonly body: Uint8Array;
  readonly address: string;
  /** True: somebody who may speak for the platform hands it in, so neither secret nor signature is asked for. */
  readonly isVerified?: boolean;
  /** Takes what the request holds in place of `io.accept`: whoever hands it in learns what became of it. */
  readonly accept?: ChannelIo["accept"];
}

/** What a platform is told that has posted. */
export interface WebhookAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly body: unknown;
}

/** The kinds of channels there are. */
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
});
