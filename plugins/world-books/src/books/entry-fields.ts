import Joi, {
  type ArraySchema,
  type CustomHelpers,
  type NumberSchema,
  type ObjectSchema,
  type Schema,
} from "@hapi/joi";
import { displayName, type Localized, notBlank, reportProblem, textOf, withLabel } from "@parley/core";
import { worldBooksTexts } from "../texts.ts";

export const SOURCES = ["user", "assistant_recent", "history", "scene_state"] as const;
export type Source = (typeof SOURCES)[number];
export const LOGICS = ["and_any", "and_all", "not_any", "not_all"] as const;
export type Logic = (typeof LOGICS)[number];
/** The kinds of entries. Between equal entries, the kind that is listed first takes precedence. */
export const ENTRY_TYPES = [
  "relationship",
  "rule",
  "location",
  "event",
  "npc",
  "faction",
  "lore",
  "style",
  "secret",
] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export type CardExtras = Readonly<Record<string, unknown>>;

export interface EntryFields {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly content: string;
  readonly enabled: boolean;
  readonly priority: number;
  readonly weight: number;
  readonly case_sensitive: boolean;
  readonly match_mode: "any" | "all";
  readonly use_regex: boolean;
  readonly secondary_keywords: readonly string[];
  readonly selective: boolean;
  readonly selective_logic: Logic;
  readonly trigger_sources: readonly Source[];
  readonly always_on: boolean;
  readonly state_triggers: Readonly<Record<string, readonly string[]>>;
  readonly cooldown_turns: number;
  readonly max_injections_per_session: number;
  readonly tags: readonly string[];
  readonly entry_type: EntryType;
  readonly insertion_order: number;
  readonly card: CardExtras;
}
/** A draft of an entry, which requires only the content. */
export type EntryDraft = Pick<EntryFields, "content"> & Partial<EntryFields>;

const MAX_CARD_BYTES = 65_536;
const MAX_STATE_TRIGGERS = 20;

const field = <Made extends Schema>(made: Made, en: string, zh: string, more: object = {}): Made =>
  withLabel(made, { title: { en, zh }, ...more });
const help = (en: string, zh: string) => ({ help: { en, zh } });
const integerBetween = (least: number, most: number): NumberSchema => Joi.number().integer().min(least).max(most);
const createBooleanField = (initial: boolean) => Joi.boolean().default(initial);
const createWordListField = (): ArraySchema =>
  Joi.array()
    .items(notBlank(textOf(200).min(1)))
    .max(100)
    .default([]);
const oneOf = (values: readonly string[], initial: string, options: Readonly<Record<string, Localized>>) => ({
  schema: Joi.string()
    .valid(...values)
    .default(initial),
  options,
});

const types = oneOf(ENTRY_TYPES, "lore", {
  relationship: { en: "Relationship", zh: "关系" },
  rule: { en: "Rule", zh: "规则" },
  location: { en: "Place", zh: "地点" },
  event: { en: "Event", zh: "事件" },
  npc: { en: "Person", zh: "人物" },
  faction: { en: "Faction", zh: "阵营" },
  lore: { en: "Lore", zh: "设定" },
  style: { en: "Style", zh: "风格" },
  secret: { en: "Secret", zh: "秘密" },
});
const logics = oneOf(LOGICS, "and_any", {
  and_any: { en: "and one of them", zh: "且含其一" },
  and_all: { en: "and all of them", zh: "且全部包含" },
  not_any: { en: "and none of them", zh: "且都不含" },
  not_all: { en: "and not all of them", zh: "且未全含" },
});

/** Returns the schema of tags, which are unique regardless of case. */
export function createTagListSchema(): ArraySchema {
  return Joi.array()
    .items(textOf(40).trim().min(1).disallow(""))
    .max(32)
    .unique((a: string, b: string) => a.toLowerCase() === b.toLowerCase())
    .default([]);
}

/** Returns the schema of a card's preserved keys, limited to a number of bytes as JSON. */
export function createCardExtrasSchema(bytes: number): ObjectSchema {
  return Joi.object()
    .unknown()
    .custom((card: object, helpers: CustomHelpers) =>
      Buffer.byteLength(JSON.stringify(card)) > bytes
        ? reportProblem(worldBooksTexts.error("bad_request", "kept_large", { most: bytes / 1024 }), helpers)
        : card,
    )
    .default({});
}

export const entryFields: { readonly [Name in keyof EntryFields]: Schema } = {
  name: field(
    displayName(200).allow("").default(""),
    "Name",
    "名称",
    help("Empty: the first keyword.", "为空时取第一个关键词。"),
  ),
  keywords: field(createWordListField(), "Keywords", "关键词", { widget: "tags" }),
  content: field(notBlank(textOf(20_000)).required(), "Content", "内容", {
    widget: "textarea",
  }),
  enabled: field(createBooleanField(true), "Switched on", "启用"),
  priority: field(integerBetween(-1_000, 1_000).default(0), "Priority", "优先级"),
  weight: field(integerBetween(-1_000, 1_000).default(0), "Weight", "权重"),
  case_sensitive: field(createBooleanField(false), "Case-sensitive", "区分大小写"),
  match_mode: field(Joi.string().valid("any", "all").default("any"), "Needs", "匹配方式", {
    options: { any: { en: "one keyword", zh: "任一关键词" }, all: { en: "all keywords", zh: "全部关键词" } },
  }),
  use_regex: field(createBooleanField(false), "Keywords are regular expressions", "关键词为正则表达式"),
  secondary_keywords: field(createWordListField(), "Secondary keywords", "次要关键词", { widget: "tags" }),
  selective: field(createBooleanField(false), "Use secondary keywords", "启用次要关键词"),
  selective_logic: field(logics.schema, "Logic of the secondary keywords", "次要关键词逻辑", {
    options: logics.options,
  }),
  trigger_sources: field(
    Joi.array()
      .items(Joi.string().valid(...SOURCES))
      .min(1)
      .unique()
      .default(["user"]),
    "Search in",
    "搜索范围",
    {
      widget: "tags",
      options: {
        user: { en: "the new message", zh: "新消息" },
        assistant_recent: { en: "the last answer", zh: "最近回复" },
        history: { en: "the history", zh: "历史" },
        scene_state: { en: "the scene", zh: "场景" },
      },
    },
  ),
  always_on: field(createBooleanField(false), "Always active", "始终注入"),
  state_triggers: field(
    Joi.object()
      .pattern(textOf(100).min(1), Joi.array().items(textOf(200).min(1).disallow("")).max(100))
      .max(MAX_STATE_TRIGGERS)
      .default({}),
    "Scene triggers",
    "场景触发",
    { widget: "json", ...help('Such as {"location": ["tavern"]}.', '例如 {"location": ["酒馆"]}。') },
  ),
  cooldown_turns: field(integerBetween(0, 1_000).default(0), "Cooldown (turns)", "冷却回合数"),
  max_injections_per_session: field(
    integerBetween(0, 10_000).default(0),
    "Maximum insertions per conversation",
    "每个会话最多注入次数",
  ),
  tags: field(createTagListSchema(), "Tags", "标签", { widget: "tags" }),
  entry_type: field(types.schema, "Kind", "类型", { options: types.options }),
  insertion_order: field(integerBetween(0, 100_000).default(100), "Insertion order", "插入顺序"),
  card: field(createCardExtrasSchema(MAX_CARD_BYTES), "Card fields", "卡片字段", { widget: "json" }),
};
