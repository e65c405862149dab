import Joi, { type CustomHelpers, type ObjectSchema } from "@hapi/joi";
import { reportProblem, resource, type ToolImplementation, textOf, withLabel, withPattern } from "@parley/core";
import { answerFields, listData, shape } from "@parley/core/http";
import { literalSecrets, REQUEST_FIELDS } from "@parley/core/secrets";
import { isSkillName } from "./storage/names.ts";
import { skillsTexts } from "./texts.ts";

export const MAX_SKILLS = 1_000;
export const MAX_TEXT = 200_000;

export interface SkillFields {
  readonly name: string;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly enabled: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly implementation: ToolImplementation;
  /** Input only: written to SKILL.md and stored nowhere else. */
  readonly skill_md?: string;
}

export const SKILL_SECRETS = literalSecrets<Pick<SkillFields, "implementation">>(REQUEST_FIELDS, "implementation");

export const skillName = Joi.string()
  .normalize("NFC")
  .max(128)
  .custom((name: string, helpers: CustomHelpers) =>
    isSkillName(name) ? name : reportProblem(skillsTexts.error("bad_request", "name_form"), helpers),
  );
const alias = textOf(100).trim().min(1).disallow("");

export const skillResource = resource<SkillFields>({
  kind: "skill",
  most: MAX_SKILLS,
  path: "/api/skills",
  param: "skill_id",
  idPrefix: "skill",
  title: { one: { en: "skill", zh: "技能" }, many: { en: "skills", zh: "技能" } },
  about: {
    en: "A folder of instructions, files and scripts. The AI sees the name and description, and reads the rest when it needs it.",
    zh: "包含说明、文件和脚本的文件夹。AI 可以看到其名称和描述，需要时再读取内容。",
  },
  chosenId: withPattern(Joi.string(), /^skill_[A-Za-z0-9_-]{1,60}$/, skillsTexts.error("bad_request", "id_form")),
  fields: {
    name: withLabel(skillName.required(), {
      title: { en: "Name", zh: "名称" },
      help: { en: "Also the folder's name. It cannot be changed later.", zh: "也是文件夹名称，之后不能修改。" },
    }),
    description: withLabel(textOf(4_000).default(""), {
      title: { en: "What it is for", zh: "用途" },
      help: { en: "The AI uses this to decide when to use the skill.", zh: "AI 据此判断何时使用。" },
      widget: "textarea",
    }),
    aliases: withLabel(Joi.array().items(alias).max(20).unique().default([]), {
      title: { en: "Other names", zh: "别名" },
      widget: "tags",
    }),
    enabled: withLabel(Joi.boolean().default(true), { title: { en: "On", zh: "启用" } }),
    parameters: withLabel(Joi.object().unknown().default({}), {
      title: { en: "Arguments", zh: "参数" },
      help: { en: "A JSON Schema of type object. Optional.", zh: "类型为 object 的 JSON Schema，可留空。" },
      widget: "json",
    }),
    implementation: withLabel(
      Joi.object({ type: Joi.valid("prompt", "http", "static").required() })
        .unknown()
        .default({ type: "prompt" }),
      { title: { en: "Implementation", zh: "实现方式" }, widget: "json" },
    ),
    skill_md: withLabel(textOf(MAX_TEXT), { title: { en: "SKILL.md", zh: "SKILL.md" }, widget: "markdown" }),
  },
  secret: ["skill_md"],
  secrets: SKILL_SECRETS,
  cached: true,
  derived: {
    has_storage: answerFields.flag.required(),
    scripts: answerFields.texts.required(),
  },
  created: { storage_created: answerFields.flag },
  search: ["name", "description"],
  filters: ["enabled"],
  sort: ["name"],
  columns: ["name", "description", "enabled", "has_storage"],
  fixed: ["name"],
  verbs: ["list", "create", "update"],
  scopes: { change: "admin" },
  maxBytes: 1024 * 1024,
});

const { text, id, count, flag, time, texts, orNull, word, listOf, record } = answerFields;
export const removedData = shape({ id, deleted: Joi.valid(true), storage_deleted: flag });

const file = shape(
  {
    name: text,
    path: text,
    size: count,
    modified: time,
    type: word("core", "reference", "license", "script", "resource", "other"),
  },
  "SkillFile",
);

export const storages = listData(
  shape(
    {
      name: text,
      skill_id: orNull(id),
      has_skill_md: flag,
      has_reference: flag,
      has_license: flag,
      scripts: texts,
      resources: texts,
      files_count: count,
      size: count,
      preview: text,
    },
    "SkillStorage",
  ),
);

export const storageData = shape(
  {
    name: text,
    skill_md: text,
    reference_md: text,
    license: text,
    truncated: flag,
    files: listOf(file),
    scripts: texts,
    resources: texts,
    front_matter: orNull(record).description("Of SKILL.md; null when it cannot be read"),
  },
  "SkillContent",
);
export const removedStorage = shape({ name: text, deleted: Joi.valid(true), files: count });
export const markdownData = shape({ content: text, size: count, etag: text }, "SkillText");
export const writtenData = shape({ size: count, etag: text });
export const fileData = shape(
  { file_name: text, content: text, encoding: word("utf8", "base64"), size: count, mime_type: text, etag: text },
  "SkillFileContent",
);
export const writtenFile = shape({ file_name: text, size: count, etag: text }, "WrittenSkillFile");
export const uploadedData = shape({
  skill: skillResource.item,
  skills: listOf(skillResource.item),
  files_count: count,
  skipped: count,
});

export interface MarkdownBody {
  readonly content: string;
}
export const markdownBody = Joi.object<MarkdownBody>({ content: textOf(MAX_TEXT).required() });

/** Describes the body for the API reference; the route reads the bytes itself. */
export const fileBody = Joi.object({
  content: Joi.string().allow(""),
  encoding: Joi.valid("utf8", "base64").default("utf8"),
  file: Joi.string(),
});
export const downloadQuery = Joi.object<{ readonly download: boolean }>({ download: Joi.boolean().default(false) });

export interface UploadForm {
  readonly folder_name: string;
  readonly skill_md?: string;
  readonly skill_config?: string;
  readonly overwrite: boolean;
}
export const uploadForm: ObjectSchema<UploadForm> = Joi.object({
  folder_name: skillName.required(),
  skill_md: textOf(MAX_TEXT),
  skill_config: Joi.string().allow("").max(262_144),
  overwrite: Joi.boolean().default(false),
});

/** Fields that a skill_config may set. */
export type SkillConfig = Partial<Omit<SkillFields, "name" | "skill_md">>;
