import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import { type Resource, type ResourceDeclaration, resource, textOf, usageShape } from "@parley/core";
import { CHARACTER_DETAIL, type CharacterFields, characterFields } from "@parley/core/characters";
import {
  answerFields,
  commonFields,
  itemFailureFields,
  listData,
  shape,
  warningFields,
  without,
} from "@parley/core/http";

/** An upload of a preset to a platform. */
export interface Upload {
  readonly platform: string;
  readonly remote_id: string;
  readonly url: string;
  readonly uploaded_at: string;
}

const presetId = Joi.string().pattern(/^preset_[0-9a-z]{20}$/);

export const uploadData = shape<Upload>(
  { platform: answerFields.text, remote_id: answerFields.text, url: answerFields.text, uploaded_at: answerFields.time },
  "PresetUpload",
);
const presetDeclaration: ResourceDeclaration<CharacterFields> = {
  kind: "preset",
  most: 5_000,
  path: "/api/personality/custom-presets",
  param: "preset_id",
  idPrefix: "preset",
  title: { one: { en: "preset", zh: "预设" }, many: { en: "presets", zh: "预设" } },
  about: {
    en: "Character cards to use as the personality, or to create characters from.",
    zh: "角色卡预设：可用作当前人设，也可据此创建角色。",
  },
  fields: characterFields,
  derived: { builtin: Joi.valid(false), uploads: answerFields.listOf(uploadData) },
  chosenId: presetId,
  detail: [...CHARACTER_DETAIL],
  keepsUnknown: true,
  search: ["name", "tags"],
  filters: ["tags", "favorite"],
  query: { tag: Joi.string().max(40), ids: Joi.string().allow("").max(4_000) },
  sort: ["-created_at", "name"],
  columns: ["name", "tags", "updated_at"],
};
const presetResource = resource<CharacterFields>(presetDeclaration);

/** Custom presets. A list by ids includes the long texts. */
export const presets: Resource<CharacterFields> = {
  ...presetResource,
  // The prompt has no default, because a submitted prompt counts as written by a person.
  draft: Joi.object()
    .concat(presetResource.patch)
    .keys({ id: presetId, name: characterFields.name }) as unknown as typeof presetResource.draft,
  listed: makeOptional(presetResource.item, CHARACTER_DETAIL),
};

function makeOptional(item: ObjectSchema, names: readonly string[]): ObjectSchema {
  const optional = Object.fromEntries(names.map((name) => [name, getField(item, name).optional()]));
  return shape({ ...getFields(without(item, names)), ...optional }, "ListedPreset");
}

function getField(item: ObjectSchema, name: string): Schema {
  return getFields(item)[name] as Schema;
}

function getFields(item: ObjectSchema): Readonly<Record<string, Schema>> {
  const keys = item.$_terms.keys as readonly { readonly key: string; readonly schema: Schema }[];
  return Object.fromEntries(keys.map(({ key, schema }) => [key, schema]));
}

const {
  id: _id,
  builtin: _builtin,
  uploads: _uploads,
  created_at: _created,
  ...cardFields
} = getFields(presetResource.item);
const { revision, updated_at, ...bareCard } = cardFields;

/** A card with every field that a character has. */
export const cardData = shape(bareCard, "RoleCard");
export const builtInData = listData(
  shape({ id: answerFields.id, ...bareCard, builtin: Joi.valid(true) }, "BuiltInPreset"),
);

export interface StoredPersonality extends CharacterFields {
  readonly preset_id: string | null;
}

/** The single record of the current personality, with its own routes. */
export const personalities = resource<StoredPersonality>({
  kind: "personality",
  path: "/api/personality",
  param: "personality_id",
  idPrefix: "personality",
  title: { one: { en: "personality", zh: "人设" }, many: { en: "personality", zh: "人设" } },
  about: { en: "Used in conversations without a character.", zh: "用于未绑定角色的会话。" },
  fields: { ...characterFields, preset_id: characterFields.creator.allow(null).default(null) },
});
export const personalityData = shape(
  {
    ...bareCard,
    preset_id: answerFields.orNull(answerFields.id),
    updated_at: commonFields.updated_at,
    revision: commonFields.revision,
  },
  "Personality",
);
const presetName = textOf(64).min(1).disallow("");
export const personalityBody = (presetResource.patch as ObjectSchema).keys({
  preset_id: presetName,
}) as unknown as ObjectSchema<Partial<CharacterFields> & { readonly preset_id?: string }>;

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
const subjectFields = {
  preset_id: presetName,
  character_id: textOf(64).min(1).disallow(""),
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
const pixels = answerFields.count;
export const generatedPortraitData = shape({
  url: answerFields.text,
  prompt: answerFields.text,
  model: answerFields.text,
  width: pixels,
  height: pixels,
});
export const portraitData = shape({
  url: answerFields.text,
  file_name: answerFields.text,
  size: answerFields.count,
  mime_type: answerFields.text,
  width: pixels,
  height: pixels,
});

export interface PictureUrl {
  readonly url?: string;
}
export const pictureUrl = Joi.object<PictureUrl>({ url: textOf(500) });
export const portraitRemovedData = shape({
  deleted: Joi.valid(true),
  url: answerFields.text,
  references_cleared: answerFields.count,
});
export const cleanBody = Joi.object<{ readonly dry_run: boolean }>({ dry_run: Joi.boolean().default(false) });
export const cleanData = shape({
  removed: answerFields.count,
  freed_bytes: answerFields.count,
  files: answerFields.texts,
});

export interface UploadBody {
  readonly platform?: string;
  readonly visibility: "private" | "public";
  readonly confirm?: boolean;
}
export const uploadBody = Joi.object<UploadBody>({
  platform: textOf(64),
  visibility: Joi.valid("private", "public").default("private"),
  confirm: Joi.boolean(),
});
