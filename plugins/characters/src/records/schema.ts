import Joi from "@hapi/joi";
import {
  displayName,
  type Resource,
  type ResourceDeclaration,
  resource,
  textOf,
  withLabel,
  withPattern,
} from "@parley/core";
import { BOND_FIELDS, CHARACTER_DETAIL, type CharacterFields, characterFields } from "@parley/core/characters";
import { answerFields, failureDetailShape, itemFailureFields, shape } from "@parley/core/http";
import { personaId } from "../personas/schema.ts";

const chosenId = Joi.string().pattern(/^char_[0-9a-z]{20}$/);
const characterDeclaration: ResourceDeclaration<CharacterFields> = {
  kind: "character",
  path: "/api/characters",
  param: "character_id",
  idPrefix: "char",
  title: { one: { en: "character", zh: "角色" }, many: { en: "characters", zh: "角色" } },
  about: {
    en: "Who speaks in a conversation. A character has its own story and moods, and remembers how people treat it.",
    zh: "在会话中说话的角色：有自己的故事和心情，并记得人们如何对待它。",
  },
  fields: characterFields,
  chosenId,
  detail: [...CHARACTER_DETAIL],
  keepsUnknown: true,
  removed: { sessions_unbound: answerFields.count },
  search: ["name", "tags"],
  filters: ["tags", "favorite"],
  query: { tag: Joi.string().max(40) },
  sort: ["-updated_at", "name", "created_at"],
  columns: ["name", "tags", "favorite", "updated_at"],
};
const characterResource = resource<CharacterFields>(characterDeclaration);

/** Character resource whose creation takes a name, or a preset that has one; preset values apply where none are sent. */
export const characters: Resource<CharacterFields> = {
  ...characterResource,
  draft: Joi.object()
    .concat(characterResource.patch)
    .keys({ id: chosenId, preset_id: textOf(64).min(1).disallow("") })
    .or("name", "preset_id") as unknown as typeof characterResource.draft,
};

/** A person with several addresses; the relationships of one address apply to all of them. */
export interface PersonLink {
  readonly name: string;
  readonly target_id: string;
  readonly same_as: string;
  /** Persona of the person on all addresses; null: none, or the default one of the account. */
  readonly persona_id: string | null;
}

const addressSchema = withPattern(textOf(200).trim().min(3), /^[^:\s]+:user:\S/, {
  en: "must be an address like web:user:ann or imA:user:42",
  zh: "须为 web:user:ann 或 imA:user:42 这样的地址",
});

export const personLinks = resource<PersonLink>({
  kind: "person_link",
  path: "/api/person-links",
  param: "link_id",
  idPrefix: "link",
  title: { one: { en: "linked person", zh: "关联用户" }, many: { en: "linked people", zh: "关联用户" } },
  about: {
    en: "People who write from several channels. Once linked, characters know them as one person.",
    zh: "从多个渠道联系的人：关联后，角色把他们当作同一个人。",
  },
  fields: {
    name: withLabel(displayName(100).required(), { title: { en: "Name", zh: "名称" } }),
    target_id: withLabel(addressSchema.required(), {
      title: { en: "Address", zh: "地址" },
      help: { en: "Such as imA:user:42.", zh: "例如 imA:user:42。" },
    }),
    same_as: withLabel(addressSchema.required(), {
      title: { en: "Same as", zh: "等同于" },
      help: {
        en: "The address whose relationships apply, such as web:user:ann.",
        zh: "以此地址的关系为准，例如 web:user:ann。",
      },
    }),
    persona_id: withLabel(personaId.allow(null).default(null), {
      title: { en: "Persona", zh: "用户设定" },
      record: "persona",
    }),
  },
  unique: "target_id",
  search: ["name", "target_id", "same_as"],
  most: 10_000,
  scopes: { read: "admin", change: "admin" },
  columns: ["name", "target_id", "same_as", "updated_at"],
});

export interface ScopeQuery {
  readonly scope_id?: string;
  readonly session_id?: string;
}
export interface TargetQuery {
  readonly target_id?: string;
  readonly session_id?: string;
}
const id = textOf(200).min(1).disallow("");
export const scopeQuery = Joi.object<ScopeQuery>({ scope_id: id, session_id: id });
export const targetQuery = Joi.object<TargetQuery>({ target_id: id, session_id: id });

const revisionFields = {
  persisted: answerFields.flag,
  updated_at: answerFields.orNull(answerFields.time),
  revision: answerFields.count,
};
const relationshipFields = Object.fromEntries(BOND_FIELDS.map((field) => [field, answerFields.count]));
const moodFields = {
  mood: answerFields.text,
  mood_intensity: answerFields.number,
  energy: answerFields.count,
  scene: answerFields.record,
};
export const stateData = shape(
  {
    character_id: answerFields.id,
    scope_id: answerFields.id,
    ...moodFields,
    mood_category: answerFields.orNull(answerFields.text),
    last_active_at: answerFields.orNull(answerFields.time),
    ...revisionFields,
  },
  "CharacterState",
);
export const relationshipData = shape(
  { character_id: answerFields.id, target_id: answerFields.id, ...relationshipFields, ...revisionFields },
  "CharacterRelationship",
);

const state = shape(moodFields, "CharacterMood");
const relationship = shape(relationshipFields, "CharacterBond");
const { count, flag, number, text } = answerFields;
const ids = answerFields.listOf(answerFields.id);
/** The reaction that a character decided on; further fields are of interest to developers only. */
const planShape = shape({
  intent: text,
  tone: text,
  relationship_deltas: answerFields.mapOf(number),
  reasons: answerFields.listOf(shape({ field: text, delta: number, because: answerFields.texts })),
}).unknown();
const turnShape = shape(
  {
    trace_id: answerFields.id,
    session_id: answerFields.id,
    scope_id: answerFields.id,
    target_id: answerFields.id,
    at: answerFields.time,
    state_before: state,
    state_after: state,
    relationship_before: relationship,
    relationship_after: relationship,
    signals: shape({ detected_keywords: answerFields.texts }).unknown(),
    plan: planShape,
    memory_ids: ids,
    world_book_entry_ids: ids,
    prompt_layers: answerFields.listOf(shape({ key: text, priority: number, chars: count }, "TurnPromptLayer")),
    auto_state: shape({ ran: flag, source: text }),
    sticker: shape({ tried: flag, sent: flag, category: answerFields.orNull(text) }),
  },
  "LatestTurn",
);
export const latestTurnData = shape({ turn: answerFields.orNull(turnShape) });

export interface InitializeBody {
  readonly force: boolean;
  readonly character_ids?: readonly string[];
}
export const initializeBody = Joi.object<InitializeBody>({
  force: Joi.boolean().default(false),
  character_ids: Joi.array().items(id).max(10_000).unique(),
});
export const initializeData = shape({
  initialized: Joi.valid(true),
  already: answerFields.flag,
  characters: answerFields.count,
  scopes: answerFields.count,
  duration_ms: answerFields.number,
  errors: answerFields.listOf(shape({ character_id: answerFields.id, ...itemFailureFields })),
});
export const statusData = shape({
  initialized: answerFields.flag,
  state: answerFields.word("running", "stopped", "error"),
  started_at: answerFields.orNull(answerFields.time),
  characters: answerFields.count,
  scopes: answerFields.count,
  targets: answerFields.count,
  turns: answerFields.count,
  auto_state: shape({ interval: answerFields.count, runs: answerFields.count, failures: answerFields.count }),
  last_error: answerFields.orNull(answerFields.text),
  last_error_detail: answerFields.orNull(failureDetailShape).optional(),
});
