import Joi, {
  type ArraySchema,
  type CustomHelpers,
  type ObjectSchema,
  type Schema,
  type StringSchema,
} from "@hapi/joi";
import type { AppError } from "../errors.ts";
import { type FieldWidget, textOf, withLabel } from "../resource/field-schemas.ts";
import { coreTexts } from "../texts.ts";
import { displayName } from "../validation/display-name.ts";
import { reportProblem, withPattern } from "../validation/validation-error.ts";
import { type InitialState, readState } from "./initial-state.ts";

/** Fields of a character; presets and the current personality have the same ones. */
export interface CharacterFields {
  readonly name: string;
  readonly description: string;
  readonly avatar: string;
  readonly portrait: string;
  readonly tags: readonly string[];
  readonly basic_info: string;
  readonly personality: string;
  readonly scenario: string;
  readonly example_dialogues: string;
  readonly response_format: string;
  readonly first_message: string;
  readonly alternate_greetings: readonly string[];
  readonly rules: readonly string[];
  readonly initial_state: InitialState;
  readonly system_prompt: string;
  readonly system_prompt_mode: "auto" | "manual";
  readonly post_history_instructions: string;
  readonly creator: string;
  readonly character_version: string;
  readonly creator_notes: string;
  readonly world_book_ids: readonly string[];
  readonly card_spec: "native" | "v1" | "v2" | "v3";
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly card_extra: Readonly<Record<string, unknown>>;
  readonly favorite: boolean;
}

/** A character to create: only `name` is required; values under other names are stored in `card_extra`. */
export type CharacterDraft = Pick<CharacterFields, "name"> & Partial<CharacterFields>;

/** `extensions` and `card_extra` of one character together. */
const MAX_CARD_DATA_BYTES = 1_048_576;
const MAX_TEXT_LENGTH = 20_000;
const MAX_LINE_LENGTH = 200;
const PICTURE_URL = /^(\/static\/files\/[^/\\?#\s]+|https:\/\/\S+)?$/;

const help = (en: string, zh: string) => ({ help: { en, zh } });
const labelledField = <Made extends Schema>(made: Made, en: string, zh: string, more: object = {}): Made =>
  withLabel(made, { title: { en, zh }, ...more });
const textField = (en: string, zh: string, more: object = {}, widget: FieldWidget = "textarea"): StringSchema =>
  labelledField(textOf(MAX_TEXT_LENGTH).default(""), en, zh, { widget, ...more });
const lineField = (en: string, zh: string): StringSchema => labelledField(textOf(MAX_LINE_LENGTH).default(""), en, zh);
const pictureField = (en: string, zh: string): StringSchema =>
  labelledField(
    withPattern(textOf(500), PICTURE_URL, coreTexts.error("bad_request", "no_picture")).default(""),
    en,
    zh,
    {
      widget: "picture",
    },
  );
const cardDataField = (en: string, zh: string): ObjectSchema =>
  labelledField(Joi.object().unknown().custom(validateCardData).default({}), en, zh, { widget: "json" });

/** Schemas of the character fields, each with its label and default. */
export const characterFields: { readonly [Name in keyof CharacterFields]: Schema } = {
  name: labelledField(displayName(100).required(), "Name", "名称"),
  description: textField("Description", "描述"),
  avatar: pictureField("Avatar", "头像"),
  portrait: pictureField("Portrait", "立绘"),
  tags: labelledField(tags(), "Tags", "标签", { widget: "tags" }),
  basic_info: textField("Basic information", "基本信息"),
  personality: textField("Personality", "性格"),
  scenario: textField("Scenario", "场景"),
  example_dialogues: textField("Example dialogues", "示例对话"),
  response_format: textField("Response format", "回复格式"),
  first_message: textField("First message", "开场白"),
  alternate_greetings: labelledField(
    Joi.array().items(textOf(MAX_TEXT_LENGTH)).max(50).default([]),
    "Other greetings",
    "备用开场白",
    {
      widget: "json",
    },
  ),
  rules: labelledField(Joi.array().items(textOf(1_000)).max(100).default([]), "Rules", "规则", { widget: "json" }),
  initial_state: labelledField(
    Joi.object().unknown().custom(validateInitialState).default({}),
    "Starting state",
    "初始状态",
    {
      widget: "json",
      ...help(
        "Mood, energy, affection and so on at the start of each new conversation.",
        "每个新会话开始时的心情、精力、好感等。",
      ),
    },
  ),
  system_prompt: labelledField(textOf(100_000).default(""), "System prompt", "系统提示词", {
    widget: "textarea",
    ...help("Generated from the fields above unless written by hand.", "未手写时由以上字段生成。"),
  }),
  system_prompt_mode: labelledField(
    Joi.string().valid("auto", "manual").default("auto"),
    "System prompt is",
    "系统提示词方式",
    {
      options: {
        auto: { en: "generated from the fields", zh: "自动生成" },
        manual: { en: "written by hand", zh: "手写" },
      },
    },
  ),
  post_history_instructions: textField("Instructions after the history", "历史之后的指令"),
  creator: lineField("Creator", "作者"),
  character_version: lineField("Version", "版本"),
  creator_notes: textField(
    "Creator's notes",
    "作者备注",
    help("Shown to people, never sent to the model.", "只给人看，不发送给模型。"),
  ),
  world_book_ids: labelledField(
    Joi.array().items(textOf(64).min(1).disallow("")).max(100).unique().default([]),
    "World books",
    "世界书",
    {
      widget: "tags",
    },
  ),
  card_spec: labelledField(
    Joi.string().valid("native", "v1", "v2", "v3").default("native"),
    "Original format",
    "来源格式",
  ),
  extensions: cardDataField("Extensions of the card", "卡片扩展"),
  card_extra: cardDataField("Other fields of the card", "卡片其他字段"),
  favorite: labelledField(Joi.boolean().default(false), "Favourite", "收藏"),
};

/** Fields that lists of characters omit. */
export const CHARACTER_DETAIL = ["system_prompt", "example_dialogues", "extensions", "card_extra"] as const;

/** Returns the reason a card's own fields are too large to store; undefined when they are not. */
export function findCardSizeProblem(fields: Partial<CharacterFields>): string | undefined {
  return isCardDataTooLarge(fields) ? createCardTooLargeError().message : undefined;
}

export function isCardDataTooLarge({ extensions, card_extra }: Partial<CharacterFields>): boolean {
  return Buffer.byteLength(JSON.stringify([extensions ?? {}, card_extra ?? {}])) > MAX_CARD_DATA_BYTES;
}

export function createCardTooLargeError(field?: string): AppError {
  const at = field === undefined ? {} : { field };
  return coreTexts.error("bad_request", "card_large", { most: MAX_CARD_DATA_BYTES / 1_048_576 }, at);
}

function validateCardData(value: object, helpers: CustomHelpers) {
  return isCardDataTooLarge({ card_extra: value as Record<string, unknown> })
    ? reportProblem(createCardTooLargeError(), helpers)
    : value;
}

function validateInitialState(given: object, helpers: CustomHelpers) {
  const { values, problems } = readState(given);
  return problems[0] === undefined ? values : reportProblem(problems[0], helpers);
}

function tags(): ArraySchema {
  return Joi.array()
    .items(textOf(40).trim().min(1).disallow(""))
    .max(32)
    .unique((a: string, b: string) => a.toLowerCase() === b.toLowerCase())
    .default([]);
}
