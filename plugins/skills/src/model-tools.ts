import Joi from "@hapi/joi";
import {
  AppError,
  decodeText,
  notFound,
  type Sandbox,
  type Tool,
  type ToolImplementations,
  textOf,
  tool,
  type Workspaces,
} from "@parley/core";
import { buildScriptCommand } from "./sandbox/sandbox.ts";
import type { Skill, Skills } from "./skills.ts";
import { getMimeType, SCRIPTS_FOLDER, SKILL_MD, toFileView } from "./storage/file-types.ts";
import { readFrontMatter, stripFrontMatter } from "./storage/front-matter.ts";
import { parsePath } from "./storage/names.ts";
import type { SkillFolders } from "./storage/skill-folders.ts";
import { skillsTexts } from "./texts.ts";

const MAX_RESULT_CHARS = 50_000;
const MAX_LISTED = 200;
const SCRIPT_TIMEOUT_MS = 30_000;
/** Path of the skill's folder within the sandbox. */
const SANDBOX_FOLDER = "/skill";
const shared = { scope: "gateway.read", audience: ["ai"], group: "skills", risk: "read" } as const;
const name = textOf(100).trim().min(1).disallow("").required();

export interface ModelToolsDeps {
  readonly skills: Skills;
  readonly folders: SkillFolders;
  readonly implementations: () => ToolImplementations | undefined;
  readonly sandbox: () => Sandbox;
  /** Target of copied skills; undefined without workspaces. */
  readonly workspaces: () => Workspaces | undefined;
  /** Returns true when scripts can be run. */
  readonly canRunScripts: () => boolean;
}

/** Creates the tools for models: list skills, read one or its files, copy its files to a workspace, and run its scripts. */
export function createModelTools(deps: ModelToolsDeps): readonly Tool[] {
  const { skills, folders, implementations, sandbox, canRunScripts, workspaces } = deps;
  const hasSkills = () => skills.listEnabled().length > 0;
  const getSkill = (wanted: string): Skill => {
    const found = skills.findEnabled(wanted);
    if (!found) throw notFound("skill", wanted);
    return found;
  };
  const readText = async (skill: Skill, path: string) => {
    const text = decodeText((await folders.read(skill.name, path)).bytes);
    if (text === undefined) throw skillsTexts.error("bad_request", "not_text", { path }, { field: "path" });
    return text;
  };
  return [
    tool<{ readonly query: string }>({
      ...shared,
      name: "skill_list",
      help: { en: "Lists the available skills and what they are for.", zh: "列出可用的技能及其用途。" },
      purpose: "Lists the skills with their purposes.",
      args: Joi.object({ query: textOf(200).trim().default("") }),
      isOffered: hasSkills,
      async run({ query }) {
        const wanted = query.toLowerCase();
        const found = skills.listEnabled().filter((one) => matches(one, wanted));
        const listed = found
          .slice(0, MAX_LISTED)
          .map(({ name: called, description }) => ({ name: called, description }));
        return { skills: listed, total: found.length };
      },
    }),
    tool<{ readonly name: string }>({
      ...shared,
      name: "skill_get_info",
      help: { en: "Shows the parameters, files and requirements of a skill.", zh: "查看技能的参数、文件和要求。" },
      purpose: "Returns the arguments, the files and the requirements of a skill.",
      args: Joi.object({ name }),
      isOffered: hasSkills,
      async run({ name: wanted }) {
        const skill = getSkill(wanted);
        const files = await folders.list(skill.name);
        const head = files.some(({ path }) => path === SKILL_MD)
          ? await readFrontMatter(await readText(skill, SKILL_MD)).catch(ignoreAppError)
          : undefined;
        const { id, name: called, description, parameters, implementation } = skill;
        const about = head && {
          license: head.license ?? null,
          allowed_tools: head.allowed_tools,
          metadata: head.metadata,
        };
        const fileViews = files.map(toFileView).map(({ path, size, type }) => ({ path, size, type }));
        return { id, name: called, description, type: implementation.type, parameters, ...about, files: fileViews };
      },
    }),
    tool<{ readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }>({
      ...shared,
      name: "use_skill",
      help: {
        en: "Uses a skill: gets its instructions to follow, or its result.",
        zh: "使用技能：获取其说明并照做，或获取结果。",
      },
      purpose: "Uses a skill: returns its instructions, which you then follow, or its answer to the arguments.",
      args: Joi.object({ name, arguments: Joi.object().unknown().default({}) }),
      isOffered: hasSkills,
      timeoutMs: 65_000,
      async run({ name: wanted, arguments: args }, { signal }) {
        const { parameters, implementation, ...skill } = getSkill(wanted);
        if (implementation.type === "prompt") {
          const text = stripFrontMatter(await readText({ ...skill, parameters, implementation }, SKILL_MD));
          const files = (await folders.list(skill.name)).map(({ path }) => path).filter((path) => path !== SKILL_MD);
          return {
            instructions: text.slice(0, MAX_RESULT_CHARS),
            truncated: text.length > MAX_RESULT_CHARS,
            files: files.slice(0, MAX_LISTED),
          };
        }
        const service = implementations();
        if (!service) throw skillsTexts.error("unavailable", "needs_tools");
        const answer = await service.run(
          { parameters: { type: "object", ...parameters }, implementation },
          args,
          signal,
        );
        return { answer };
      },
    }),
    tool<{ readonly name: string; readonly path: string; readonly offset: number }>({
      ...shared,
      name: "read_skill_file",
      help: { en: "Reads a text file of a skill.", zh: "读取技能中的文本文件。" },
      purpose: "Reads a text file of a skill, by a path that use_skill and skill_get_info return.",
      args: Joi.object({
        name,
        path: textOf(200).min(1).disallow("").required(),
        offset: Joi.number().integer().min(0).default(0),
      }),
      isOffered: hasSkills,
      async run({ name: wanted, path, offset }) {
        const text = await readText(getSkill(wanted), path);
        const content = text.slice(offset, offset + MAX_RESULT_CHARS);
        const next = offset + content.length;
        return { path, type: getMimeType(path, true), content, next_offset: next < text.length ? next : null };
      },
    }),
    tool<{ readonly skill_id: string }>({
      ...shared,
      risk: "action",
      name: "workspace_skill_copy",
      help: {
        en: "Copies the files of a skill into the conversation's workspace.",
        zh: "将技能的文件复制到本会话的工作区。",
      },
      purpose: "Copies the files of a skill into the workspace of this conversation, where you can work with them.",
      args: Joi.object({ skill_id: name.description("The id of a skill, or its name") }),
      isOffered: () => hasSkills() && workspaces() !== undefined,
      timeoutMs: 60_000,
      async run({ skill_id }, { signal, traceId, sessionId }) {
        const target = workspaces();
        if (!target) throw skillsTexts.error("unavailable", "no_workspaces");
        if (sessionId === undefined) throw skillsTexts.error("bad_request", "nowhere_to_copy");
        const skill = skills.listEnabled().find(({ id }) => id === skill_id) ?? getSkill(skill_id);
        const area = { scope: "private", sessionId } as const;
        const by = { traceId, sessionId };
        const copied: string[] = [];
        for (const { path } of await folders.list(skill.name)) {
          signal.throwIfAborted();
          const { bytes } = await folders.read(skill.name, path);
          const to = `skills/${skill.name}/${path}`;
          copied.push((await target.write(area, to, bytes, { clash: "replace", signal, by })).path);
        }
        return { folder: `skills/${skill.name}`, files_count: copied.length, files: copied.slice(0, MAX_LISTED) };
      },
    }),
    tool<{ readonly name: string; readonly script: string; readonly args: readonly string[] }>({
      ...shared,
      risk: "high",
      name: "run_skill_script",
      help: {
        en: "Runs a script of a skill in isolation; each time it asks first.",
        zh: "在隔离环境中运行技能脚本，每次都会先确认。",
      },
      purpose: "Runs a script of a skill, without network, for at most 30 s; a person is asked before.",
      args: Joi.object({
        name,
        script: textOf(200).min(1).disallow("").required(),
        args: Joi.array().items(textOf(2_000)).max(50).default([]),
      }),
      answersAreData: true,
      isOffered: () => canRunScripts() && hasSkills(),
      timeoutMs: 40_000,
      async run({ name: wanted, script, args }, { signal, isConfirmed }) {
        if (!isConfirmed) throw skillsTexts.error("confirmation_required", "run_unconfirmed");
        const skill = getSkill(wanted);
        const inside = parsePath(script.startsWith(SCRIPTS_FOLDER) ? script.slice(SCRIPTS_FOLDER.length) : script).join(
          "/",
        );
        const path = `${SCRIPTS_FOLDER}${inside}`;
        const isThere = (await folders.list(skill.name)).some((file) => file.path === path);
        if (!isThere) throw notFound("script", script);
        const folder = await folders.getPath(skill.name);
        return sandbox().run({
          folder,
          at: SANDBOX_FOLDER,
          ...buildScriptCommand(path, SANDBOX_FOLDER, args),
          limitMs: SCRIPT_TIMEOUT_MS,
          signal,
        });
      },
    }),
  ];
}

function matches({ name: skillName, description }: Skill, wanted: string): boolean {
  return `${skillName} ${description}`.toLowerCase().includes(wanted);
}

function ignoreAppError(error: unknown): undefined {
  if (!AppError.is(error)) throw error;
}
