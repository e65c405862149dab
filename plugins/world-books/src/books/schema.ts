import Joi from "@hapi/joi";
import { displayName, type Resource, type ResourceDeclaration, resource, textOf, withLabel } from "@parley/core";
import { answerFields, warningFields } from "@parley/core/http";
import { type CardExtras, createCardExtrasSchema, type EntryFields, entryFields } from "./entry-fields.ts";

export const MAX_ENTRIES = 5_000;
/** Maximum number of entries in one request, and in one response about a book. */
export const MAX_BATCH_SIZE = 500;
const MAX_BOOK_CARD_BYTES = 1_048_576;

/** The rules by which entries are activated: ours, or those of World Info, for which most shared books are written. */
export const BEHAVIOURS = ["native", "world_info"] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

export interface BookFields {
  readonly name: string;
  readonly description: string;
  /** Ids or names of characters; when empty, the book applies to every conversation. */
  readonly character_ids: readonly string[];
  readonly enabled: boolean;
  readonly behaviour: Behaviour;
  readonly card: CardExtras;
}
export type BookDraft = Pick<BookFields, "name"> &
  Partial<BookFields> & { readonly entries?: readonly unknown[]; readonly id?: string };

/** An entry as stored; `rank` is the negated priority, so that lists begin with the highest one. */
export interface StoredEntry extends EntryFields {
  readonly book_id: string;
  readonly rank: number;
}

const commonEntryOptions = {
  kind: "world_book_entry",
  toldAs: "entry",
  path: "/api/world-books/entries",
  param: "entry_id",
  idPrefix: "entry",
  title: { one: { en: "entry", zh: "条目" }, many: { en: "entries", zh: "条目" } },
  about: { en: "A piece of lore and what triggers it.", zh: "一段设定及其触发条件。" },
  search: ["name", "keywords", "content"],
} as const;

/** The resource of entries, whose routes are below those of the book. */
export const entryResource: Resource<EntryFields> = resource<EntryFields>({
  ...commonEntryOptions,
  fields: entryFields,
  derived: {
    book_id: answerFields.id.required(),
    warnings: answerFields.texts.required(),
    warning_details: warningFields.warning_details,
  },
  filters: ["entry_type", "enabled"],
  sort: ["-priority", "insertion_order", "name"],
});

/** The resource of entries in their stored form. */
export const entries: Resource<StoredEntry> = resource<StoredEntry>({
  ...commonEntryOptions,
  fields: {
    ...entryFields,
    book_id: withLabel(textOf(64).required(), { title: { en: "Book", zh: "世界书" } }),
    rank: withLabel(Joi.number().required(), { title: { en: "Place", zh: "位置" } }),
  },
  filters: ["book_id", "entry_type", "enabled"],
  sort: ["rank", "insertion_order", "name"],
});

const bookOptions: ResourceDeclaration<BookFields> = {
  kind: "world_book",
  most: 1_000,
  path: "/api/world-books",
  param: "book_id",
  idPrefix: "book",
  title: { one: { en: "world book", zh: "世界书" }, many: { en: "world books", zh: "世界书" } },
  about: {
    en: "Lore that is added to a conversation when its keywords appear: people, places, rules, secrets.",
    zh: "关键词出现时自动带入会话的设定：人物、地点、规则、秘密。",
  },
  fields: {
    name: withLabel(displayName(100).required(), { title: { en: "Name", zh: "名称" } }),
    description: withLabel(textOf(4_000).default(""), { title: { en: "Description", zh: "描述" }, widget: "textarea" }),
    character_ids: withLabel(Joi.array().items(textOf(100).trim().min(1).disallow("")).max(500).unique().default([]), {
      title: { en: "Only with", zh: "仅用于角色" },
      help: {
        en: "IDs or names of characters. Empty: all conversations.",
        zh: "角色 ID 或名称；为空则所有会话生效。",
      },
      widget: "tags",
    }),
    enabled: withLabel(Joi.boolean().default(true), { title: { en: "Switched on", zh: "启用" } }),
    behaviour: withLabel(
      Joi.string()
        .valid(...BEHAVIOURS)
        .default("native"),
      {
        title: { en: "Activation rules", zh: "触发规则" },
        help: {
          en: "World Info: as in SillyTavern and the programs that share its books.",
          zh: "World Info：与 SillyTavern 及兼容其世界书的程序一致。",
        },
        options: { native: { en: "Parley", zh: "Parley" }, world_info: { en: "World Info", zh: "World Info" } },
      },
    ),
    card: withLabel(createCardExtrasSchema(MAX_BOOK_CARD_BYTES), {
      title: { en: "Card fields", zh: "卡片字段" },
      widget: "json",
    }),
  },
  derived: {
    entry_count: answerFields.count.required(),
    entries: answerFields.listOf(entryResource.item).optional(),
    entries_truncated: answerFields.flag.optional(),
  },
  chosenId: Joi.string().pattern(/^book_[0-9a-z]{20}$/),
  search: ["name", "description"],
  filters: ["enabled", "character_ids"],
  query: { character_id: Joi.string().max(100) },
  sort: ["-updated_at", "name", "created_at"],
  columns: ["name", "enabled", "character_ids", "entry_count", "updated_at"],
};
const baseBookResource = resource<BookFields>(bookOptions);

/** The resource of books; a book can be created together with its entries. */
export const books: Resource<BookFields> = {
  ...baseBookResource,
  draft: (baseBookResource.draft as Joi.ObjectSchema).keys({
    entries: Joi.array().items(Joi.any()).max(MAX_BATCH_SIZE),
  }) as typeof baseBookResource.draft,
};
