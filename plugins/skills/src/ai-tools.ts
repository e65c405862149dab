import Joi from "@hapi/joi";
import { AppError, notFound, type Tool, type ToolImplementations, textOf, tool } from "@parley/core";
import { mimeTypeOf, SCRIPTS, SKILL_MD, shownFile, utf8Of } from "./file-types.ts";
import { bodyOf, readFrontMatter } from "./front-matter.ts";
import { pathParts } from "./names.ts";
import type { Sandbox } from "./sandbox.ts";
import type { SkillFolders } from "./skill-folders.ts";
import type { Skill, Skills } from "./skills.ts";

const MAX_SHOWN = 50_000;
const MAX_LISTED = 200;
const shared = { scope: "gateway.read", audience: ["ai"], group: "skills", risk: "read" } as const;
const name = textOf(100).trim().min(1).disallow("").required();

export interface AiToolsParts {
  readonly skills: Skills;
  readonly folders: SkillFolders;
  readonly implementations: () => ToolImplementations | undefined;
  readonly sandbox: Sandbox;
  /** Whether scripts may be run at all. */
  readonly runsScripts: () => boolean;
}

/** What models do with skills: they see what there is, read one when they need it, and its files after that. */
export function aiTools({ skills, folders, implementations, sandbox, runsScripts }: AiToolsParts): readonly Tool[] {
  const hasSkills = () => skills.enabled().length > 0;
  const named = (wanted: string): Skill => {
    const found = skills.named(wanted);
    if (!found) throw notFound("skill", wanted);
    return found;
  };
  const textIn = async (skill: Skill, path: string) => {
    const text = utf8Of((await folders.read(skill.name, path)).bytes);
    if (text === undefined) throw new AppError("bad_request", `path: '${path}' is no text`);
    return text;
  };
  return [
    tool<{ readonly query: string }>({
      ...shared,
      name: "skill_list",
      purpose: "The skills there are, with what each is for.",
      args: Joi.object({ query: textOf(200).trim().default("") }),
      isOffered: hasSkills,
      async run({ query }) {
        const wanted = query.toLowerCase();
        const found = skills.enabled().filter((one) => `${one.name} ${one.description}`.toLowerCase().includes(wanted));
        const listed = found
          .slice(0, MAX_LISTED)
          .map(({ name: called, description }) => ({ name: called, description }));
        return { skills: listed, total: found.length };
      },
    }),
    tool<{ readonly name: string }>({
      ...shared,
      name: "skill_get_info",
      purpose: "What a skill is made of: its arguments, its files, and what it needs.",
      args: Joi.object({ name }),
      isOffered: hasSkills,
      async run({ name: wanted }) {
        const skill = named(wanted);
        const files = await folders.files(skill.name);
        const head = files.some(({ path }) => path === SKILL_MD)
          ? await readFrontMatter(await textIn(skill, SKILL_MD)).catch(unreadable)
          : undefined;
        const { id, name: called, description, parameters, implementation } = skill;
        const about = head && {
          license: head.license ?? null,
          allowed_tools: head.allowed_tools,
          metadata: head.metadata,
        };
        const shownFiles = files.map(shownFile).map(({ path, size, type }) => ({ path, size, type }));
        return { id, name: called, description, type: implementation.type, parameters, ...about, files: shownFiles };
      },
    }),
    tool<{ readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }>({
      ...shared,
      name: "use_skill",
      purpose: "Uses a skill: gives its instructions, which you then follow, or its answer to the arguments.",
      args: Joi.object({ name, arguments: Joi.object().unknown().default({}) }),
      isOffered: hasSkills,
      timeoutMs: 65_000,
      async run({ name: wanted, arguments: args }, { signal }) {
        const { parameters, implementation, ...skill } = named(wanted);
        if (implementation.type === "prompt") {
          const text = bodyOf(await textIn({ ...skill, parameters, implementation }, SKILL_MD));
          const files = (await folders.files(skill.name)).map(({ path }) => path).filter((path) => path !== SKILL_MD);
          return {
            instructions: text.slice(0, MAX_SHOWN),
            truncated: text.length > MAX_SHOWN,
            files: files.slice(0, MAX_LISTED),
          };
        }
        const service = implementations();
        if (!service) throw new AppError("unavailable", "this skill needs the plugin 'tools'");
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
      purpose: "Reads a text file of a skill, by the path that use_skill and skill_get_info give.",
      args: Joi.object({
        name,
        path: textOf(200).min(1).disallow("").required(),
        offset: Joi.number().integer().min(0).default(0),
      }),
      isOffered: hasSkills,
      async run({ name: wanted, path, offset }) {
        const text = await textIn(named(wanted), path);
        const content = text.slice(offset, offset + MAX_SHOWN);
        const next = offset + content.length;
        return { path, type: mimeTypeOf(path, true), content, next_offset: next < text.length ? next : null };
      },
    }),
    tool<{ readonly name: string; readonly script: string; readonly args: readonly string[] }>({
      ...shared,
      risk: "high",
      name: "run_skill_script",
      purpose: "Runs a script of a skill, without network, for at most 30 s; a person is asked before.",
      args: Joi.object({
        name,
        script: textOf(200).min(1).disallow("").required(),
        args: Joi.array().items(textOf(2_000)).max(50).default([]),
      }),
      answersAreData: true,
      isOffered: () => runsScripts() && hasSkills(),
      timeoutMs: 40_000,
      async run({ name: wanted, script, args }, { signal, isConfirmed }) {
        if (!isConfirmed) throw new AppError("confirmation_required", "a person must agree to each run");
        const skill = named(wanted);
        const inside = pathParts(script.startsWith(SCRIPTS) ? script.slice(SCRIPTS.length) : script).join("/");
        const path = `${SCRIPTS}${inside}`;
        const isThere = (await folders.files(skill.name)).some((file) => file.path === path);
        if (!isThere) throw notFound("script", script);
        return sandbox.run({ folder: await folders.pathOf(skill.name), script: path, args, signal });
      },
    }),
  ];
}

function unreadable(error: unknown): undefined {
  if (!AppError.is(error)) throw error;
}
