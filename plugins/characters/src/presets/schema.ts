import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import { type Resource, type ResourceDeclaration, resource, textOf } from "@parley/core";
import { CHARACTER_DETAIL, type CharacterFields, characterFields } from "@parley/core/characters";
import { answerFields, listData, shape, without } from "@parley/core/http";

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
const { revision: _revision, updated_at: _updated, ...bareCard } = cardFields;

/** The fields of a card in answers: those of a character. */
export const cardAnswerFields: Readonly<Record<string, Schema>> = bareCard;
/** A card with every field that a character has. */
export const cardData = shape(bareCard, "RoleCard");
export const builtInData = listData(
  shape({ id: answerFields.id, ...bareCard, builtin: Joi.valid(true) }, "BuiltInPreset"),
);

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
