import Joi from "@hapi/joi";
import type { Attachment } from "@parley/core";
import { attachments, content, shortName, tempId } from "./fields.ts";

export interface ChatBody {
  readonly content?: string;
  readonly message?: string;
  readonly attachments: readonly Attachment[];
  readonly sender?: string;
  readonly sender_id?: string;
  readonly reply_to?: string;
  readonly temp_id?: string;
  readonly wait: boolean;
  readonly deliver: boolean;
}
const wait = Joi.boolean().default(true);
const deliver = Joi.boolean().default(false);
export const chatBody = Joi.object<ChatBody>({
  content,
  message: content,
  attachments: attachments.default([]),
  sender: shortName.min(1),
  sender_id: Joi.string().max(128),
  reply_to: Joi.string().max(64).empty(null),
  temp_id: tempId,
  wait,
  deliver: deliver.description("Also sends the answer to the people of the channel"),
});
export interface RegenerateBody {
  readonly message_id?: string;
  readonly model_id?: string;
  readonly wait: boolean;
  readonly deliver: boolean;
}
export const regenerateBody = Joi.object<RegenerateBody>({
  message_id: Joi.string().max(64),
  model_id: Joi.string().max(64).description("The model for this answer only, instead of the conversation's"),
  wait,
  deliver: deliver.description("Also sends the new answer to the people of the channel"),
});
export interface AskModelsBody {
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly reply_to?: string;
  readonly temp_id?: string;
  readonly model_ids: readonly string[];
}
export const askModelsBody = Joi.object<AskModelsBody>({
  content: content.default(""),
  attachments: attachments.default([]),
  reply_to: Joi.string().max(64).empty(null),
  temp_id: tempId,
  model_ids: Joi.array().items(Joi.string().max(64)).min(2).max(4).unique().required(),
});
export interface PressBody {
  readonly message_id: string;
  readonly element_id: string;
  readonly item_id: string;
  readonly language?: string;
  readonly wait: boolean;
}
export const pressBody = Joi.object<PressBody>({
  message_id: Joi.string().max(64).required(),
  element_id: Joi.string().max(64).required(),
  item_id: Joi.string().max(64).required(),
  language: Joi.string().max(35).description("Language of the person: a tag such as zh-CN"),
  wait,
});
export type ContinueBody = Pick<RegenerateBody, "wait" | "deliver">;
export const continueBody = Joi.object<ContinueBody>({
  wait,
  deliver: deliver.description("Also sends the continuation to the people of the channel"),
});
export const stopBody = Joi.object<{ readonly session_id: string; readonly trace_id?: string }>({
  session_id: Joi.string().max(200).required(),
  trace_id: Joi.string().max(64),
});
