import Joi from "@hapi/joi";
import { chatSdkTexts } from "../texts.ts";

/** A file of a message. */
export interface SdkAttachment {
  readonly type?: string;
  readonly url?: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly fetchMetadata?: Readonly<Record<string, string>>;
}

/** A message that an adapter of the Chat SDK has parsed. */
export interface SdkMessage {
  readonly id: string;
  readonly threadId: string;
  readonly text: string;
  readonly isMention?: boolean;
  readonly author: {
    readonly userId: string;
    readonly userName?: string;
    readonly fullName?: string;
    readonly isBot?: boolean | "unknown";
    readonly isMe?: boolean;
    readonly isSystem?: boolean;
  };
  readonly metadata?: { readonly dateSent?: Date; readonly editedAt?: Date };
  readonly attachments: readonly SdkAttachment[];
}

const id = Joi.string().min(1).required();
const optionalText = Joi.string().allow("", null);
const attachmentSchema = Joi.object({
  type: optionalText,
  url: optionalText,
  name: optionalText,
  mimeType: optionalText,
  size: Joi.number().allow(null),
  fetchMetadata: Joi.object().pattern(Joi.string(), Joi.string()).allow(null),
}).unknown();
const messageSchema = Joi.object<SdkMessage>({
  id,
  threadId: id,
  text: Joi.string().allow("").required(),
  isMention: Joi.boolean(),
  author: Joi.object({
    userId: id,
    userName: optionalText,
    fullName: optionalText,
    isBot: Joi.valid(true, false, "unknown"),
    isMe: Joi.boolean(),
    isSystem: Joi.boolean(),
  })
    .unknown()
    .required(),
  metadata: Joi.object({ dateSent: Joi.date(), editedAt: Joi.date() }).unknown(),
  attachments: Joi.array().items(attachmentSchema).default([]),
}).unknown();

/** Reads a message that an adapter package returned; throws `bad_request` when it lacks a field or has another type there. */
export function readSdkMessage(value: unknown): SdkMessage {
  const { value: message, error } = messageSchema.validate(value, { convert: false });
  if (error) throw chatSdkTexts.error("bad_request", "message_shape", { reason: error.message });
  return message;
}

const pageSchema = Joi.object<{ readonly messages: readonly SdkMessage[] }>({
  messages: Joi.array().items(messageSchema).required(),
}).unknown();

/** Reads a page of a conversation's history; throws `upstream_failed` when the package returned something else. */
export function readSdkHistory(value: unknown): readonly SdkMessage[] {
  const { value: page, error } = pageSchema.validate(value, { convert: false });
  if (error) throw chatSdkTexts.error("upstream_failed", "message_shape", { reason: error.message });
  return page.messages;
}

/** Returns the platform's id of a message that was posted; undefined when the package does not say it. */
export function readPostedId(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  return typeof value.id === "string" && value.id !== "" ? value.id : undefined;
}
