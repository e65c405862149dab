import Joi, { type ObjectSchema } from "@hapi/joi";
import { AppError, textOf } from "@parley/core";
import { parseJsonObject } from "@parley/core/json";

/** Version of the protocol between the script and the service. */
export const PROTOCOL_VERSION = 1;
/** Maximum length of a visitor's message in code points. */
export const MAX_TEXT = 8_000;
/** Maximum count of files with one message. */
export const MAX_FILES = 5;

/** Frames that the script sends, by `type`. */
export interface ClientFrames {
  /** First frame: identifies the visitor, or asks for a new one. Repeated, it asks for the history again. */
  readonly hello: { readonly version: number; readonly visitor?: string; readonly language?: string };
  readonly message: { readonly text: string; readonly temp_id: string; readonly files: readonly string[] };
  readonly ping: Readonly<Record<string, never>>;
}
export type ClientFrameType = keyof ClientFrames;

/** A file as visitors see it. */
export interface FileView {
  readonly name: string;
  /** Address that can be read for an hour; relative to the service when it is a stored file. */
  readonly url: string;
  readonly type: string;
  readonly size?: number;
}

/** A message as visitors see it. */
export interface MessageView {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly files: readonly FileView[];
  /** ISO 8601 UTC. */
  readonly time: string;
  /** The script's own id of a visitor's message. */
  readonly temp_id?: string;
  /** Name of the character that wrote it. */
  readonly sender?: string;
  /** True for a visitor's message that could not be answered. */
  readonly failed?: true;
}

/** A frame that the service sends. */
export type ServerFrame =
  | {
      readonly type: "welcome";
      readonly version: number;
      readonly visitor: string;
      readonly history: readonly MessageView[];
      /** True while a person answers in place of the AI. */
      readonly operator: boolean;
    }
  /** The message is stored and will not be lost; `id` is its trace id. */
  | { readonly type: "ack"; readonly temp_id: string; readonly id: string }
  | (MessageView & { readonly type: "message"; readonly completes?: string })
  /** The text of an unfinished answer, from this offset on. */
  | { readonly type: "delta"; readonly id: string; readonly from: number; readonly text: string }
  | { readonly type: "typing" }
  | { readonly type: "presence"; readonly operator: boolean }
  | { readonly type: "pong" }
  | {
      readonly type: "error";
      readonly code: string;
      readonly error: string;
      readonly temp_id?: string;
      readonly retry_after_s?: number;
    };

const FRAME_SCHEMAS: { readonly [Type in ClientFrameType]: ObjectSchema } = {
  hello: Joi.object({
    version: Joi.number().valid(PROTOCOL_VERSION).required(),
    visitor: Joi.string().max(1_000),
    language: Joi.string().max(35),
  }),
  message: Joi.object({
    text: textOf(MAX_TEXT).required(),
    temp_id: Joi.string().min(1).max(64).required(),
    files: Joi.array().items(Joi.string().max(2_000)).max(MAX_FILES).default([]),
  }),
  ping: Joi.object({}),
};

/** The unchecked fields of a frame. */
export interface RawFrame {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parses a frame; undefined unless it is a JSON object with a `type`. */
export function parseFrame(text: string): RawFrame | undefined {
  const { type, ...fields } = parseJsonObject(text) ?? {};
  return typeof type === "string" ? { type, fields } : undefined;
}

/** Returns the checked fields of a known type, without unknown ones; `bad_request` names the first problem. */
export function checkFrame<Type extends ClientFrameType>(
  type: Type,
  fields: Readonly<Record<string, unknown>>,
): ClientFrames[Type] {
  const { value, error } = FRAME_SCHEMAS[type].validate(fields, { stripUnknown: { objects: true }, convert: false });
  if (error) throw new AppError("bad_request", error.message.replaceAll('"', "").replace(" ", ": "));
  return value;
}

export function isClientFrameType(type: string): type is ClientFrameType {
  return Object.hasOwn(FRAME_SCHEMAS, type);
}
