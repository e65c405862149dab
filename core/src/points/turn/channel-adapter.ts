import Joi, { type ObjectSchema } from "@hapi/joi";
import type { ErrorDetail } from "../../errors.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { functionSchema, objectSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";
import { CHANNEL_FEATURES, type ChannelFeature } from "./channel-features.ts";
import type { ChannelIo, ChannelLink } from "./channel-link.ts";
import { COMMON_SETTINGS, type CommonSetting } from "./channel-settings.ts";
import { type GuideStep, guideSchema } from "./guide-step.ts";

/** Capabilities of a channel; every flag defaults to false. */
export interface Capabilities {
  readonly supports_stream: boolean;
  readonly supports_progress_updates: boolean;
  /** False when the platform takes no files: a file is then sent as a line of text with its name, and with its address when that is public. */
  readonly supports_file_send: boolean;
  readonly supports_stop: boolean;
  readonly supports_tools?: boolean;
}

/** Transport of a channel's messages; another word where none of these applies, such as `tcp`. */
export type Transport = "webhook" | "websocket" | "bridge" | "polling" | (string & {});

const transportName = Joi.string().pattern(/^[a-z][a-z0-9-]{0,31}$/, "lowercase letters, digits and hyphens");

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
  /** Features of the type. Absent: not known. The kit holds it against the link. */
  readonly features?: readonly ChannelFeature[];
  /** Instructions for connecting the platform, in order; the console shows them. */
  readonly guide?: readonly GuideStep[];
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
  /** True when the platform lets a bot only answer, so that it writes to nobody unasked. */
  readonly answersOnly?: boolean;
  /** Audio types that the platform plays, such as `audio/ogg`; voice replies use no other. Absent: any. */
  readonly playsAudio?: readonly string[];
  /** Milliseconds one `send` may take before it counts as ambiguous. Default 30,000. */
  readonly sendTimeoutMs?: number;
  /**
   * Verifies the credentials with the platform, without side effects. Rejects with `DeliveryError` carrying the platform's message,
   * or with `unavailable` when a credential is missing. Absent: the platform offers no such call.
   */
  check?(channel: ChannelConfig, io: Pick<ChannelIo, "secret" | "fetch">, signal: AbortSignal): Promise<CheckedAccount>;
  /**
   * Connects one configured channel; the link lives until it is disposed. When aborted it throws and leaves nothing open. On
   * disposal the signal has aborted already; its reason is `LEFT_TO_NEXT` when the whole plugin set is replaced.
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
  /** Results of further checks. Absent: the warnings stand for them. */
  readonly checks?: readonly ChannelCheck[];
}

/** One result of checking a channel. */
export interface ChannelCheck {
  /** Subject: `credentials`, `webhook`, `permissions` or another word. */
  readonly check: string;
  readonly state: "ok" | "failed" | "unknown";
  readonly message: Localized;
  /** Advice what to do, and where. */
  readonly fix?: Localized;
}

/** Adapters of channel types. */
export const ChannelAdapters: ExtensionPoint<ChannelAdapter> = extensionPoint("channel-adapters", {
  accept: validateWith(
    Joi.object({
      type: wordSchema.required(),
      title: localizedSchema,
      transports: Joi.array().items(transportName).min(1).required(),
      capabilities: Joi.object().pattern(Joi.string(), Joi.boolean()).required(),
      features: Joi.array()
        .items(Joi.valid(...Object.keys(CHANNEL_FEATURES)))
        .unique(),
      guide: guideSchema,
      settings: objectSchema.required(),
      idempotency: Joi.valid(...IDEMPOTENCY_MODES).required(),
      unusedSettings: Joi.array().items(Joi.valid(...Object.keys(COMMON_SETTINGS))),
      newSettings: functionSchema,
      check: functionSchema,
      withdrawsBlocked: Joi.boolean(),
      answersOnly: Joi.boolean(),
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
