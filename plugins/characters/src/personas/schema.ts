import Joi from "@hapi/joi";
import { displayName, resource, textOf, withLabel, withPattern } from "@parley/core";
import { characterFields } from "@parley/core/characters";

/** The fields of a persona: the name, description and picture of a person. */
export interface PersonaFields {
  readonly name: string;
  readonly description: string;
  readonly avatar: string;
  readonly is_default: boolean;
}

/** The account that a persona belongs to, as stored. */
export interface PersonaOwner {
  readonly account_id: string;
  readonly owner: string;
}

const MAX_DESCRIPTION = 20_000;
const toLabel = (en: string, zh: string) => ({ title: { en, zh } });

/** Schema of the id of a persona where one is chosen. */
export const personaId = withPattern(Joi.string(), /^per_[0-9a-z]{20}$/, {
  en: "must be the id of a persona",
  zh: "须为用户设定的 ID",
});

/** The resource of personas; each belongs to the account that created it. */
export const personas = resource<PersonaFields>({
  kind: "persona",
  most: 10_000,
  path: "/api/personas",
  param: "persona_id",
  idPrefix: "per",
  chosenId: personaId,
  title: { one: { en: "persona", zh: "用户设定" }, many: { en: "personas", zh: "用户设定" } },
  about: {
    en: "Who you are in a conversation. Characters call you by its name and know its description.",
    zh: "您在会话中的身份：角色会以其名称称呼您，并了解其描述。",
  },
  fields: {
    name: withLabel(displayName(100).required(), toLabel("Name", "名称")),
    description: withLabel(textOf(MAX_DESCRIPTION).default(""), {
      ...toLabel("Description", "描述"),
      help: {
        en: "What characters know about you, such as looks, age and how you met.",
        zh: "角色对您的了解，例如外貌、年龄、如何相识。",
      },
      widget: "textarea",
    }),
    avatar: characterFields.avatar,
    is_default: withLabel(Joi.boolean().default(false), {
      ...toLabel("Default", "默认"),
      help: {
        en: "Used in your conversations that have chosen no other.",
        zh: "用于未另行选择的会话。",
      },
    }),
  },
  derived: {
    account_id: Joi.string().allow("").required(),
    owner: withLabel(Joi.string().allow("").required(), toLabel("Account", "账户")),
  },
  cached: true,
  detail: ["description"],
  search: ["name", "description"],
  filters: ["is_default"],
  sort: ["name", "-updated_at"],
  // Personas are written for conversations, so changing them needs `chat`, the scope of messages.
  scopes: { read: "read", change: "chat" },
  readersOf: (persona) => ({ accountId: (persona as Partial<PersonaOwner>).account_id ?? "" }),
  columns: ["name", "is_default", "owner", "updated_at"],
});
