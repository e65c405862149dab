import Joi, { type ObjectSchema } from "@hapi/joi";
import { AppError, type Attachment, createNulError, hasNul, messageText } from "@parley/core";
import { parseJsonObject } from "@parley/core/json";

const MAX_NESTING = 16;

export const TOPICS = ["gateway", "mcp", "tasks", "logs"] as const;
export type Topic = (typeof TOPICS)[number];

/** Frames a client may send, by `type`. */
export interface ClientFrames {
  readonly auth: { readonly token: string };
  readonly join_session: { readonly session_id: string; readonly after_seq?: number };
  readonly leave_session: { readonly session_id: string };
  readonly send_message: {
    readonly session_id: string;
    readonly content: string;
    readonly temp_id: string;
    readonly sender?: string;
    /** Language of the sender: a tag such as `zh-CN`. */
    readonly language?: string;
    /** Id of the replied message in the same session. */
    readonly reply_to?: string;
    readonly attachments: readonly Attachment[];
  };
  /** Presses an element of a message; `language` as in `send_message`. */
  readonly action: {
    readonly session_id: string;
    readonly message_id: string;
    readonly element_id: string;
    readonly item_id: string;
    readonly language?: string;
  };
  readonly stop: { readonly session_id: string; readonly trace_id?: string };
  readonly regenerate: { readonly session_id: string; readonly message_id?: string };
  readonly typing: { readonly session_id: string; readonly active: boolean };
  readonly web_visibility: { readonly session_id: string; readonly visible: boolean };
  readonly confirm_exec: { readonly request_id: string; readonly approved: boolean; readonly session_id: string };
  readonly subscribe: { readonly topics: readonly Topic[] };
  readonly unsubscribe: { readonly topics: readonly Topic[] };
  readonly resume: { readonly epoch: string; readonly streams: Readonly<Record<string, number>> };
  readonly ping: { readonly timestamp?: unknown };
}
export type ClientFrameType = keyof ClientFrames;

const id = Joi.string().max(200).required();
const seq = Joi.number().integer().min(0);
const topics = Joi.object({
  topics: Joi.array()
    .items(Joi.string().valid(...TOPICS))
    .required(),
});
const attachment = Joi.object({
  type: Joi.string().valid("image", "audio", "video", "file", "sticker").required(),
  url: Joi.string().max(2000).required(),
  name: Joi.string().max(200),
  mime_type: Joi.string().max(200),
  size: Joi.number().integer().min(0),
  source: Joi.string().max(200),
  meta: Joi.object(),
});

const FRAME_SCHEMAS: { readonly [Type in ClientFrameType]: ObjectSchema } = {
  auth: Joi.object({ token: Joi.string().max(200).required() }),
  join_session: Joi.object({ session_id: id, after_seq: seq }),
  leave_session: Joi.object({ session_id: id }),
  send_message: Joi.object({
    session_id: id,
    content: messageText().required(),
    temp_id: Joi.string().min(1).max(64).required(),
    sender: Joi.string().trim().min(1).max(100),
    language: Joi.string().max(35),
    reply_to: Joi.string().max(64),
    attachments: Joi.array().items(attachment).max(10).default([]),
  }),
  action: Joi.object({
    session_id: id,
    message_id: Joi.string().max(64).required(),
    element_id: Joi.string().max(64).required(),
    item_id: Joi.string().max(64).required(),
    language: Joi.string().max(35),
  }),
  stop: Joi.object({ session_id: id, trace_id: Joi.string().max(64) }),
  regenerate: Joi.object({ session_id: id, message_id: Joi.string().max(64) }),
  typing: Joi.object({ session_id: id, active: Joi.boolean().required() }),
  web_visibility: Joi.object({ session_id: id, visible: Joi.boolean().required() }),
  confirm_exec: Joi.object({ request_id: id, approved: Joi.boolean().required(), session_id: id }),
  subscribe: topics,
  unsubscribe: topics,
  resume: Joi.object({
    epoch: Joi.string().max(64).required(),
    streams: Joi.object().pattern(Joi.string().max(200), seq.required()).max(101).required(),
  }),
  ping: Joi.object({ timestamp: Joi.any() }),
};

/** The unchecked fields of a frame and its `id`. */
export interface RawFrame {
  readonly type: string;
  readonly id: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Parses a frame. Undefined unless it is a JSON object of at most 16 levels with a `type` and, if any, an `id` of up
 * to 64 characters; the connection is closed then.
 */
export function parseFrame(text: string): RawFrame | undefined {
  const json = parseJsonObject(text);
  if (!json || !isShallow(json)) return undefined;
  const { type, id: frameId, ...fields } = json;
  if (typeof type !== "string") return undefined;
  if (frameId !== undefined && (typeof frameId !== "string" || frameId.length > 64)) return undefined;
  return { type, id: frameId, fields };
}

/** Returns the checked fields of a known type, without unknown ones; `bad_request` names the first problem. */
export function checkFrame<Type extends ClientFrameType>(
  type: Type,
  fields: Readonly<Record<string, unknown>>,
): ClientFrames[Type] {
  const { value, error } = FRAME_SCHEMAS[type].validate(fields, { stripUnknown: { objects: true }, convert: false });
  if (error) throw new AppError("bad_request", error.message.replaceAll('"', "").replace(" ", ": "));
  // Fields of requests have the same rule: PostgreSQL fails on a text with it, even where it only searches.
  const wrong = Object.entries(value).find(([, one]) => hasNul(one));
  if (wrong) throw createNulError(wrong[0]);
  return value as ClientFrames[Type];
}

export function isClientFrameType(type: string): type is ClientFrameType {
  return Object.hasOwn(FRAME_SCHEMAS, type);
}

function isShallow(json: object): boolean {
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_NESTING) return false;
    level = level.flatMap((value) =>
      Object.values(value as object).filter((inner) => typeof inner === "object" && inner),
    );
  }
  return true;
}
