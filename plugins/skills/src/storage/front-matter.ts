import Joi from "@hapi/joi";
import { toSchemaError } from "@parley/core";
import { skillsTexts } from "../texts.ts";
import { toYamlError } from "../yaml-error.ts";

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const MAX_FRONT_MATTER_CHARS = 32_768;

/** Front matter of a SKILL.md, in the format shared with other agents. */
export interface FrontMatter {
  readonly name?: string;
  readonly description?: string;
  readonly license?: string;
  /** Tools that the skill is meant to use; this grants no rights. */
  readonly allowed_tools: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

const text = Joi.string().allow("").trim();
const wordListSchema = Joi.alternatives(
  Joi.array().items(text).max(100),
  text.custom((line: string) => line.split(/[\s,]+/).filter(Boolean)),
);
const frontMatterSchema = Joi.object({
  name: text.max(200),
  description: text.max(4_000),
  license: text.max(1_000),
  "allowed-tools": wordListSchema.default([]),
  metadata: Joi.object().unknown().default({}),
}).unknown();

/** Returns the text without its front matter. */
export function stripFrontMatter(skillMd: string): string {
  return skillMd.replace(FRONT_MATTER, "");
}

/** Reads the front matter of a SKILL.md; empty if there is none. Rejects with `bad_request` if it is invalid. */
export async function readFrontMatter(skillMd: string): Promise<FrontMatter> {
  const [, head] = FRONT_MATTER.exec(skillMd) ?? [];
  if (head === undefined) return { allowed_tools: [], metadata: {} };
  if (head.length > MAX_FRONT_MATTER_CHARS) throw skillsTexts.error("bad_request", "head_long");
  const { parse } = await import("yaml");
  let read: unknown;
  try {
    read = parse(head, { maxAliasCount: 0, prettyErrors: false });
  } catch (error) {
    throw skillsTexts.error("bad_request", "head_no_yaml", { problem: toYamlError(error, head) });
  }
  const { value, error } = frontMatterSchema.validate(read ?? {}, { stripUnknown: true });
  if (error) throw toSchemaError(error, `SKILL.md: ${error.message.replaceAll('"', "'")}`, "SKILL.md");
  const { "allowed-tools": allowed_tools, ...rest } = value;
  return { ...rest, allowed_tools };
}

export async function createSkillMd(name: string, description: string, body = ""): Promise<string> {
  const { stringify } = await import("yaml");
  return `---\n${stringify({ name, description })}---\n\n${body || `# ${name}\n`}`;
}
