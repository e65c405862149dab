import Joi, { type CustomHelpers, type ObjectSchema, type Schema, type SchemaMap } from "@hapi/joi";
import {
  displayName,
  type LocalizedError,
  localizedErrorShape,
  metadata,
  notBlank,
  type Resource,
  type ResourceItem,
  reportProblem,
  resource,
  SEARCH_MODES,
  type SearchMode,
  textOf,
  withLabel,
  withPattern,
} from "@parley/core";
import {
  answerFields,
  batchData,
  failureDetailShape,
  itemFailureFields,
  type Page,
  shape,
  warningFields,
} from "@parley/core/http";
import { knowledgeTexts } from "./texts.ts";

/** The most characters of one document. */
export const MAX_CONTENT = 1_000_000;
export const MAX_DOCUMENTS = 100_000;
export const MAX_BATCH = 500;
export const INDEX_STATUSES = ["pending", "indexing", "indexed", "failed", "stale"] as const;
export type IndexStatus = (typeof INDEX_STATUSES)[number];

/** Editable fields of a document. */
export interface DocumentFields {
  readonly title: string;
  readonly content: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly base_id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Index state and derived facts of a document. */
export interface DocumentState {
  readonly preview: string;
  readonly size: number;
  readonly chunk_count: number;
  readonly indexed: boolean;
  readonly index_status: IndexStatus;
  readonly index_error: string | null;
  /** Localized detail of `index_error`. */
  readonly index_error_detail: NonNullable<LocalizedError["detail"]> | null;
  readonly index_model: string | null;
}

export type Document = ResourceItem<DocumentFields> & DocumentState;
/** A document as listed. */
export type ListedDocument = Omit<Document, "content">;

export interface DocumentDraft extends DocumentFields {
  readonly wait_index?: boolean;
}

const baseId = withPattern(Joi.string(), /^[A-Za-z0-9_-]{1,64}$/, {
  en: "must be 1 to 64 letters, digits, - and _",
  zh: "须为 1 至 64 个字母、数字、- 或 _",
});
const rejectDuplicates = (words: readonly string[], helpers: CustomHelpers) =>
  new Set(words.map((word) => word.toLowerCase())).size === words.length
    ? words
    : (reportProblem(knowledgeTexts.error("bad_request", "word_twice"), helpers) as never);
const tags = () => Joi.array().items(textOf(40).trim().min(1).disallow("")).max(32).custom(rejectDuplicates);
// Blank text is rejected; the upper limit is a 413, which a schema cannot express.
const content = () => notBlank(textOf(Number.MAX_SAFE_INTEGER));

const { count, flag, id, number, orNull, text, texts, time, word, listOf, mapOf, record } = answerFields;
const state = {
  preview: text.required(),
  size: count.required(),
  chunk_count: count.required(),
  indexed: flag.required(),
  index_status: word(...INDEX_STATUSES).required(),
  index_error: orNull(text).required(),
  index_error_detail: orNull(localizedErrorShape.extract("detail").required()),
  index_model: orNull(text).required(),
};

const baseDocumentResource = resource<DocumentFields>({
  kind: "document",
  path: "/api/knowledge",
  param: "doc_id",
  idPrefix: "doc",
  maxBytes: 8 * 1024 * 1024,
  title: { one: { en: "document", zh: "文档" }, many: { en: "documents", zh: "文档" } },
  about: {
    en: "What the bot should know. Documents are split into passages, and those that match a question are given to the model.",
    zh: "机器人应当了解的内容：文档会被切分为段落，与问题相符的段落会提供给模型。",
  },
  fields: {
    title: withLabel(displayName(200).required(), { title: { en: "Title", zh: "标题" } }),
    content: withLabel(content().required(), { title: { en: "Text", zh: "内容" }, widget: "markdown" }),
    source: withLabel(textOf(500).default("manual"), { title: { en: "Source", zh: "来源" } }),
    tags: withLabel(tags().default([]), { title: { en: "Tags", zh: "标签" } }),
    base_id: withLabel(baseId.default("default"), { title: { en: "Collection", zh: "知识库" } }),
    metadata: withLabel(metadata().default({}), { title: { en: "More", zh: "其他" }, widget: "json" }),
  },
  derived: state,
  detail: ["content"],
  search: ["title"],
  filters: ["base_id"],
  query: { tag: Joi.string().max(40), index_status: Joi.valid(...INDEX_STATUSES) },
  sort: ["-created_at", "created_at"],
  columns: ["title", "base_id", "tags", "size", "index_status", "updated_at"],
});

const withNameAlias = (body: ObjectSchema, more: SchemaMap): ObjectSchema =>
  body.keys(more).rename("name", "title", { ignoreUndefined: true });
const wait = { wait_index: Joi.boolean() };

/** Document resource. It accepts `name` for `title`; with `wait_index` the request waits for the vectors. */
export const documentResource: Resource<DocumentFields> = {
  ...baseDocumentResource,
  draft: withNameAlias(baseDocumentResource.draft, wait),
  patch: withNameAlias(baseDocumentResource.patch, wait),
};
/** Schema of one document of a batch, an import or an export. */
export const documentDraft: ObjectSchema<DocumentDraft> = withNameAlias(baseDocumentResource.draft, {
  created_at: Joi.any().strip(),
});

export interface ListQuery extends Page {
  readonly q?: string;
  readonly tag?: string;
  readonly base_id?: string;
  readonly index_status?: IndexStatus;
  readonly sort?: string;
}

export interface BatchBody {
  readonly documents: readonly unknown[];
  readonly base_id?: string;
}
export const batchBody = Joi.object<BatchBody>({
  documents: Joi.array().items(Joi.any()).min(1).max(MAX_BATCH).required(),
  base_id: baseId,
  // Additional fields of exports.
  version: Joi.any(),
  type: Joi.any(),
  exported_at: Joi.any(),
  total: Joi.any(),
} as object);
export const batchImported = shape({
  imported: count,
  failed: count,
  items: listOf(shape({ index: count, id, title: text })),
  errors: listOf(shape({ index: count, title: text, ...itemFailureFields })),
});

export interface BatchDeleteBody {
  readonly doc_ids: readonly string[];
}
export const batchDeleteBody = Joi.object<BatchDeleteBody>({
  doc_ids: Joi.array().items(Joi.string().max(200)).min(1).max(MAX_BATCH).required(),
});
export const batchDeleteData = batchData(["deleted"], {
  ids: listOf(id),
  errors: listOf(shape({ index: count, id, ...itemFailureFields })),
});

export interface SearchBody {
  readonly query: string;
  readonly top_k: number;
  readonly mode: SearchMode;
  readonly base_id?: string;
  readonly tags?: readonly string[];
  readonly doc_ids?: readonly string[];
  readonly min_score: number;
}
export const searchBody = Joi.object<SearchBody>({
  query: textOf(2_000).trim().min(1).disallow("").required(),
  top_k: Joi.number().integer().min(1).max(50).default(5),
  mode: Joi.valid(...SEARCH_MODES).default("hybrid"),
  base_id: baseId,
  tags: tags(),
  doc_ids: Joi.array().items(Joi.string().max(200)).max(MAX_BATCH),
  min_score: Joi.number().min(0).max(1).default(0),
});
const why = shape(
  {
    terms: listOf(shape({ term: text, weight: number, inTitle: flag })),
    boosts: listOf(shape({ name: word("phrase", "coverage", "time", "speaker"), factor: number })),
    vector: word("local", "model").optional(),
    rerank: Joi.alternatives(
      shape({ model: text, before: count, score: number }),
      shape({ problem: text, problem_detail: failureDetailShape.optional() }),
    ).optional(),
  },
  "SearchReasons",
);
export const hitData = shape(
  {
    doc_id: id,
    title: text,
    heading: text,
    chunk_id: id,
    chunk_index: count,
    chunk: text,
    score: number,
    similarity: number,
    text_score: number,
    source: text,
    tags: texts,
    marks: listOf(listOf(count)),
    why,
  },
  "KnowledgeHit",
);
export const searchData = shape({
  items: listOf(hitData),
  total: count,
  limit: count,
  offset: count,
  mode: word(...SEARCH_MODES),
  embedding_local: flag,
  warnings: texts.optional(),
  warning_details: warningFields.warning_details,
});

export const passagesData = shape({
  doc_id: id,
  items: listOf(shape({ chunk_id: id, chunk_index: count, heading: text, chunk: text })),
});
export const promptData = shape({ text, citations: listOf(hitData) });

export const indexData = shape({ id, chunks: count, index_status: word(...INDEX_STATUSES), index_model: orNull(text) });

export const statsData = shape({
  total_documents: count,
  ...Object.fromEntries(INDEX_STATUSES.map((status) => [status, count])),
  total_chunks: count,
  total_chars: count,
  bases: mapOf(count),
  embedding: shape({
    model_id: orNull(id),
    model: text,
    dimensions: count,
    local: flag,
    compared_by: word("index", "each"),
    comparison: text,
    comparison_detail: orNull(failureDetailShape).optional(),
  }),
  rebuild: shape({ running: flag, done: count, total: count, started_at: orNull(time) }),
});

export interface RebuildBody {
  readonly wait: boolean;
}
export const rebuildBody = Joi.object<RebuildBody>({ wait: Joi.boolean().default(true) });
export const rebuildData = shape({ rebuilt_documents: count, rebuilt_chunks: count, failed: count });
export const rebuildAccepted = shape({ state: Joi.valid("running"), total: count });

export interface ExportQuery {
  readonly base_id?: string;
  readonly download: boolean;
}
export const exportQuery = Joi.object<ExportQuery>({ base_id: baseId, download: Joi.boolean().default(false) });
export const exportData: Schema = shape(
  {
    version: Joi.valid(1),
    type: Joi.valid("knowledge_export"),
    exported_at: time,
    total: count,
    documents: listOf(
      shape({ title: text, content: text, source: text, tags: texts, base_id: id, metadata: record, created_at: time }),
    ),
  },
  "KnowledgeExport",
);

export const uploadBody = Joi.object({
  file: Joi.any().description("A file, or several: text, Markdown, HTML, PDF, DOCX, XLSX, CSV, EPUB, or a ZIP of such"),
  base_id: baseId,
  tags: Joi.string().description("Separated by commas"),
});
export const pageBody = Joi.object<{
  readonly url: string;
  readonly base_id: string;
  readonly tags: readonly string[];
}>({
  url: Joi.string()
    .uri({ scheme: ["http", "https"] })
    .max(480)
    .required(),
  base_id: baseId.default("default"),
  tags: tags().default([]),
});
export const importStartedData = shape({
  items: listOf(shape({ job_id: id, name: text })),
  failed: listOf(shape({ name: text, ...itemFailureFields })),
});
