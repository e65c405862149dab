import Joi, { type ObjectSchema } from "@hapi/joi";
import { AppError, textOf } from "@parley/core";
import { parseJsonObject } from "@parley/core/json";
import { type ClientFrames, type ClientFrameType, MAX_FILES, MAX_TEXT, PROTOCOL_VERSION } from "./protocol.ts";

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
  action: Joi.object({
    element_id: Joi.string().max(64).required(),
    item_id: Joi.string().max(64).required(),
    temp_id: Joi.string().min(1).max(64).required(),
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
