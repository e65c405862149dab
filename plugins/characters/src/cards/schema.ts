import Joi from "@hapi/joi";
import { textOf, usageShape } from "@parley/core";
import { answerFields, itemFailureFields, shape, warningFields } from "@parley/core/http";
import { cardData } from "../presets/schema.ts";

/** The prompt of a card, with the tokens of each field. */
export const previewData = shape({
  system_prompt: answerFields.text,
  tokens: answerFields.mapOf(answerFields.count),
  total: answerFields.count,
});

export interface Subject {
  readonly preset_id?: string;
  readonly character_id?: string;
  readonly card?: Readonly<Record<string, unknown>>;
}
const recordId = textOf(64).min(1).disallow("");
const subjectFields = {
  preset_id: recordId,
  character_id: recordId,
  card: Joi.object().unknown(),
};
const SUBJECT_FIELDS = ["preset_id", "character_id", "card"];
const subjectMessages = { "object.missing": "preset_id, character_id or card: one of them is needed" };

export const FORMATS = ["zip", "json_v2", "json_v3", "png"] as const;
export type CardFormat = (typeof FORMATS)[number];

export interface ExportBody extends Subject {
  readonly format: CardFormat;
  readonly include_world_book: boolean;
}
export const exportBody = Joi.object<ExportBody>({
  ...subjectFields,
  format: Joi.valid(...FORMATS).default("zip"),
  include_world_book: Joi.boolean().default(true),
})
  .xor(...SUBJECT_FIELDS)
  .messages(subjectMessages);

export interface ExportAllQuery {
  readonly format: "zip" | "json";
  readonly download: boolean;
}
export const exportAllQuery = Joi.object<ExportAllQuery>({
  format: Joi.valid("zip", "json").default("zip"),
  download: Joi.boolean().default(false),
});

export interface ImportOptions {
  readonly save: boolean;
  readonly as: "preset" | "character";
  readonly import_world_book: boolean;
}
const importFields = {
  save: Joi.boolean(),
  as: Joi.valid("preset", "character"),
  import_world_book: Joi.boolean(),
};
/** Import options, in the query or the form; the query has precedence. */
export const importQuery = Joi.object<Partial<ImportOptions>>(importFields);
export const fileForm = Joi.object({ file: Joi.any().required().description("The file") });
export const importForm = fileForm.keys(importFields);

const savedCard = answerFields.orNull(
  shape({ kind: answerFields.word("preset", "character"), id: answerFields.id }, "SavedCard"),
);
export const importData = shape({
  card: cardData,
  saved: savedCard,
  world_book_id: answerFields.orNull(answerFields.id),
  detected: shape({
    container: answerFields.word("json", "zip", "png", "charx", "bundle"),
    spec: answerFields.word("native", "v1", "v2", "v3"),
  }),
  ...warningFields,
});
export const importAllData = shape({
  imported: answerFields.count,
  failed: answerFields.count,
  items: answerFields.listOf(
    shape({ index: answerFields.count, id: answerFields.id, name: answerFields.text }, "ImportedCard"),
  ),
  errors: answerFields.listOf(
    shape({ index: answerFields.count, name: answerFields.text, ...itemFailureFields }, "CardImportError"),
  ),
});

export interface GenerateBody {
  readonly description: string;
  readonly name?: string;
  readonly language?: string;
  readonly save: boolean;
}
export const generateBody = Joi.object<GenerateBody>({
  description: textOf(4_000).trim().min(1).disallow("").required(),
  name: textOf(100),
  language: textOf(40),
  save: Joi.boolean().default(false),
});
export const generateData = shape({ card: cardData, saved: savedCard, usage: usageShape });

export const stateForBody = Joi.object<Subject>(subjectFields)
  .xor(...SUBJECT_FIELDS)
  .messages(subjectMessages);
export const stateForData = shape({
  state: shape(
    {
      ...Object.fromEntries(
        ["affection", "trust", "familiarity", "dependency", "security", "jealousy", "energy"].map((name) => [
          name,
          answerFields.count,
        ]),
      ),
      mood: answerFields.text,
      mood_intensity: answerFields.number,
    },
    "GeneratedState",
  ),
  usage: usageShape,
});

export interface GreetingBody extends Subject {
  readonly count: number;
  readonly style?: string;
}
export const greetingBody = Joi.object<GreetingBody>({
  ...subjectFields,
  count: Joi.number().integer().min(1).max(5).default(1),
  style: textOf(500),
})
  .xor(...SUBJECT_FIELDS)
  .messages(subjectMessages);
export const greetingData = shape({
  first_message: answerFields.text,
  alternatives: answerFields.texts,
  usage: usageShape,
});

export const SIZES = ["512x512", "1024x1024", "1024x1536"] as const;
export interface PortraitBody extends Subject {
  readonly prompt?: string;
  readonly size: (typeof SIZES)[number];
}
export const portraitBody = Joi.object<PortraitBody>({
  ...subjectFields,
  prompt: textOf(4_000).trim().min(1).disallow(""),
  size: Joi.valid(...SIZES).default("1024x1024"),
})
  .xor("prompt", ...SUBJECT_FIELDS)
  .messages({ "object.missing": "prompt, preset_id, character_id or card: one of them is needed" });
export const generatedPortraitData = shape({
  url: answerFields.text,
  prompt: answerFields.text,
  model: answerFields.text,
  width: answerFields.count,
  height: answerFields.count,
});
