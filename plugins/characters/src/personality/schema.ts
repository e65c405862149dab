import type { ObjectSchema } from "@hapi/joi";
import { resource, textOf } from "@parley/core";
import { type CharacterFields, characterFields } from "@parley/core/characters";
import { answerFields, commonFields, shape } from "@parley/core/http";
import { cardAnswerFields, presets } from "../presets/schema.ts";

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
    ...cardAnswerFields,
    preset_id: answerFields.orNull(answerFields.id),
    updated_at: commonFields.updated_at,
    revision: commonFields.revision,
  },
  "Personality",
);
export const personalityBody = (presets.patch as ObjectSchema).keys({
  preset_id: textOf(64).min(1).disallow(""),
}) as unknown as ObjectSchema<Partial<CharacterFields> & { readonly preset_id?: string }>;
