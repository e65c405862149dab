import Joi, { type CustomHelpers, type ObjectSchema, type Schema } from "@hapi/joi";
import {
  displayName,
  MEMORY_KINDS,
  type Memory,
  metadata,
  notBlank,
  type Resource,
  reportProblem,
  resource,
  textOf,
  timestamp,
  withLabel,
} from "@parley/core";
import { answerFields, batchData, itemFailureFields, listData, listQuery, type Page, shape } from "@parley/core/http";
import { memoryTexts } from "./texts.ts";

export const MAX_MEMORIES = 50_000;
export const MAX_BATCH = 500;
export const MAX_IMPORT = 10_000;
export const MAX_CONTENT = 20_000;
export const SOURCES = ["manual", "ai", "summary", "tool", "mcp", "import"] as const;

/** Editable fields of a memory. */
export type MemoryFields = Pick<
  Memory,
  | "title"
  | "content"
  | "summary"
  | "type"
  | "kind"
  | "character_id"
  | "character_name"
  | "target_id"
  | "session_id"
  | "priority"
  | "importance"
  | "expire_days"
  | "tags"
  | "emotion_impact"
  | "source"
  | "said_at"
>;

const assertUnique = (words: readonly string[], helpers: CustomHelpers) =>
  new Set(words.map((word) => word.toLowerCase())).size === words.length
    ? words
    : (reportProblem(memoryTexts.error("bad_request", "word_twice"), helpers) as never);
const tags = () => Joi.array().items(textOf(40).trim().min(1).disallow("")).max(32).custom(assertUnique);
const content = () => notBlank(textOf(MAX_CONTENT));
const idOrNull = (most: number) => textOf(most).trim().min(1).disallow("").allow(null).default(null);

const memoryResource = resource<MemoryFields>({
  kind: "memory",
  path: "/api/memory",
  param: "memory_id",
  idPrefix: "mem",
  title: { one: { en: "memory", zh: "记忆" }, many: { en: "memories", zh: "记忆" } },
  about: {
    en: "What people have told the bot about themselves: found in conversations or added by hand, and recalled when relevant.",
    zh: "用户告诉机器人的关于自己的信息：从会话中提取或手动添加，并在相关时想起。",
  },
  fields: {
    title: withLabel(displayName(200).required(), { title: { en: "Title", zh: "标题" } }),
    content: withLabel(content().required(), { title: { en: "Memory", zh: "内容" }, widget: "textarea" }),
    summary: withLabel(textOf(500).default(""), {
      title: { en: "Summary", zh: "摘要" },
      help: { en: "Empty: the first 100 characters.", zh: "留空则取前 100 个字符。" },
    }),
    kind: withLabel(Joi.valid(...MEMORY_KINDS).default("other"), {
      title: { en: "Kind", zh: "类别" },
      options: {
        fact: { en: "fact", zh: "事实" },
        preference: { en: "preference", zh: "喜好" },
        event: { en: "event", zh: "经历" },
        plan: { en: "plan", zh: "计划" },
        relation: { en: "relation", zh: "关系" },
        other: { en: "other", zh: "其他" },
      },
    }),
    type: withLabel(Joi.valid("long", "short").default("long"), {
      title: { en: "Kept", zh: "保留方式" },
      options: { long: { en: "long-term", zh: "长期" }, short: { en: "short-term", zh: "短期" } },
    }),
    expire_days: withLabel(Joi.number().integer().min(1).max(3_650).default(7), {
      title: { en: "Days", zh: "保留天数" },
      help: { en: "Only for short-term memories.", zh: "仅用于短期记忆。" },
    }),
    target_id: withLabel(idOrNull(200), {
      title: { en: "Person", zh: "用户" },
      help: {
        en: "Such as web:user:ann. Empty: applies to everyone.",
        zh: "例如 web:user:ann；留空则适用于所有人。",
      },
    }),
    character_id: withLabel(idOrNull(64), {
      title: { en: "Character", zh: "角色" },
      help: { en: "Empty: all characters know it.", zh: "留空则所有角色都知道。" },
    }),
    character_name: withLabel(textOf(400).trim().default(""), { title: { en: "Character's name", zh: "角色名称" } }),
    session_id: withLabel(idOrNull(200), { title: { en: "Conversation", zh: "会话" } }),
    priority: withLabel(Joi.valid("high", "normal", "low").default("normal"), {
      title: { en: "Priority", zh: "优先级" },
      options: { high: { en: "high", zh: "高" }, normal: { en: "normal", zh: "普通" }, low: { en: "low", zh: "低" } },
    }),
    importance: withLabel(Joi.number().integer().min(1).max(10).default(5), {
      title: { en: "Importance", zh: "重要程度" },
      widget: "slider",
    }),
    tags: withLabel(tags().default([]), { title: { en: "Tags", zh: "标签" } }),
    emotion_impact: withLabel(metadata().default({}), { title: { en: "Feelings", zh: "情绪影响" }, widget: "json" }),
    source: withLabel(Joi.valid(...SOURCES).default("manual"), { title: { en: "Origin", zh: "来源" } }),
    said_at: withLabel(timestamp(), { title: { en: "When it was said", zh: "说出的时间" } }),
  },
  derived: {
    expires_at: answerFields.orNull(answerFields.time).required(),
    source_turn_id: answerFields.orNull(answerFields.id).required(),
    fact: answerFields.orNull(answerFields.text).required(),
    message_id: answerFields.orNull(answerFields.id).required(),
    last_recalled_at: answerFields.orNull(answerFields.time).required(),
    recall_count: answerFields.count.required(),
    replaced_at: answerFields.orNull(answerFields.time).required(),
    replaced_by: answerFields.orNull(answerFields.id).required(),
  },
  fixed: ["source", "session_id"],
  search: ["title", "content", "summary"],
  filters: ["target_id", "character_id", "character_name", "session_id", "priority", "kind"],
  query: {
    type: Joi.valid("all", "long", "short").default("all"),
    tag: Joi.string().max(40),
    replaced: Joi.boolean().default(false),
  },
  sort: ["-created_at", "created_at", "-said_at", "said_at"],
  verbs: ["list", "create", "update", "remove"],
  columns: ["title", "kind", "target_id", "importance", "said_at"],
});

const withAliases = <Body extends ObjectSchema>(body: Body): Body =>
  body.rename("key", "title", { ignoreUndefined: true }).rename("value", "content", { ignoreUndefined: true }) as Body;

// Validates that days are given only for short-term memories.
const assertDaysFit = (value: object, helpers: CustomHelpers) =>
  helpers.original.expire_days !== undefined && helpers.original.type !== "short"
    ? reportProblem(memoryTexts.error("bad_request", "days_of_short"), helpers)
    : value;

/** Memory resource; `key` and `value` are accepted for `title` and `content`. */
export const memories: Resource<MemoryFields> = {
  ...memoryResource,
  draft: withAliases(memoryResource.draft).custom(assertDaysFit),
  patch: withAliases(memoryResource.patch),
};

export interface ListQuery extends Page {
  readonly type?: "all" | "long" | "short";
  readonly target_id?: string;
  readonly character_id?: string;
  readonly character_name?: string;
  readonly session_id?: string;
  readonly priority?: string;
  readonly kind?: string;
  readonly tag?: string;
  readonly q?: string;
  /** True to include memories that a newer one has replaced. */
  readonly replaced?: boolean;
  readonly sort?: string;
}

const { count, id, text, time, orNull, listOf } = answerFields;
const target = textOf(200).min(1).disallow("");
const type = Joi.valid("all", "long", "short");

/** Selects the memories to delete; without any field, all. */
export interface ClearQuery {
  readonly target_id?: string;
  readonly character_id?: string;
  readonly type?: "all" | "long" | "short";
}
export const clearQuery = Joi.object<ClearQuery>({ target_id: target, character_id: target, type });
export const clearedData = shape({ deleted: count });

export interface ExportQuery {
  readonly type: "all" | "long" | "short";
  readonly character_id?: string;
  readonly target_id?: string;
  readonly download: boolean;
}
export const exportQuery = Joi.object<ExportQuery>({
  type: type.default("all"),
  character_id: target,
  target_id: target,
  download: Joi.boolean().default(false),
});
export const memoryPackage = shape(
  {
    version: Joi.valid(1),
    type: Joi.valid("memory_export"),
    exported_at: time,
    total: count,
    memories: listOf(memoryResource.item),
  },
  "MemoryExport",
);

export const batchDeleteBody = Joi.object<{ readonly ids: readonly string[] }>({
  ids: Joi.array().items(Joi.string().max(200)).min(1).max(MAX_BATCH).required(),
});
export const batchDeleteData = batchData(["deleted"], {
  ids: listOf(id),
  errors: listOf(shape({ index: count, id, ...itemFailureFields })),
});

export interface ImportQuery {
  readonly mode?: "merge" | "replace";
}
const mode = Joi.valid("merge", "replace");
export const importQuery = Joi.object<ImportQuery>({ mode });
export interface ImportBody extends ImportQuery {
  readonly memories?: unknown;
  /** The memories, if the file is a bare list. */
  readonly items?: unknown;
}
export const importBody = Joi.object<ImportBody>({
  mode,
  memories: Joi.any(),
  items: Joi.any(),
  // Further fields that an export has.
  version: Joi.any(),
  type: Joi.any(),
  exported_at: Joi.any(),
  total: Joi.any(),
} as object);
export const importData = shape({
  imported: count,
  skipped: count,
  failed: count,
  items: listOf(shape({ index: count, id })),
  errors: listOf(shape({ index: count, ...itemFailureFields })),
});

/** A memory in an imported package; fields that cannot be imported are ignored. */
export interface ImportedMemory extends MemoryFields {
  readonly id?: string;
  readonly expires_at?: string | null;
  readonly fact?: string | null;
  readonly replaced_by?: string | null;
  readonly replaced_at?: string | null;
}
export const importDraft: ObjectSchema<ImportedMemory> = withAliases(memoryResource.draft as ObjectSchema)
  .keys({
    id: textOf(64),
    expires_at: timestamp().allow(null),
    fact: textOf(200).allow(null),
    replaced_by: textOf(64).allow(null),
    replaced_at: timestamp().allow(null),
  })
  .options({ stripUnknown: true }) as never;

export interface MergeBody {
  readonly ids: readonly string[];
  readonly title?: string;
  readonly content?: string;
}
export const mergeBody = Joi.object<MergeBody>({
  ids: Joi.array().items(Joi.string().max(200)).min(2).max(20).unique().required(),
  title: displayName(200),
  content: content(),
});

export const peopleData = shape({
  items: listOf(shape({ target_id: orNull(id), character_id: orNull(id), character_name: text, memories: count })),
});

/** Body of a new memory of a character. */
export type CharacterMemory = Partial<MemoryFields> & Pick<MemoryFields, "content">;
const { title, summary, kind, importance, priority, expire_days, emotion_impact } = memoryResource.fields;
export const characterMemoryBody = Joi.object<CharacterMemory>({
  title: title.optional(),
  content: memoryResource.fields.content,
  summary,
  kind,
  type: memoryResource.fields.type,
  target_id: memoryResource.fields.target_id,
  importance,
  priority,
  expire_days,
  tags: memoryResource.fields.tags,
  emotion_impact,
}).custom(assertDaysFit);
export const characterMemoriesQuery = listQuery<ListQuery>({
  target_id: target,
  type: type.default("all"),
  q: Joi.string().allow("").max(200),
});
export const memoryData: ObjectSchema = memoryResource.item;
export const memoryList: Schema = listData(memoryResource.item);
