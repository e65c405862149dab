import {
  AppError,
  type CachedRecords,
  type ChangeRequest,
  checkRevision,
  type Databases,
  notFound,
  type ResourceItem,
  type ResourceRecords,
  type ToolImplementations,
} from "@parley/core";
import { createKeyedQueue } from "@parley/core/async";
import { MAX_SKILLS, SKILL_SECRETS, type SkillFields, skillResource } from "./schema.ts";
import { SCRIPTS_FOLDER, SKILL_MD } from "./storage/file-types.ts";
import { createSkillMd } from "./storage/front-matter.ts";
import { toNameKey } from "./storage/names.ts";
import type { NewFile, SkillFolders } from "./storage/skill-folders.ts";
import { skillsTexts } from "./texts.ts";

export type Skill = ResourceItem<Omit<SkillFields, "skill_md">>;
export interface SkillView extends Skill {
  readonly has_storage: boolean;
  readonly scripts: readonly string[];
}

export interface SkillsDeps {
  readonly stored: () => CachedRecords<SkillFields>;
  readonly folders: SkillFolders;
  /** Returns the runner of implementations; undefined when no plugin provides one. */
  readonly implementations: () => ToolImplementations | undefined;
  /** Runs work that only one process may do at a time; undefined for a single process. */
  readonly getExclusive?: () => Databases["alone"] | undefined;
}

/** A folder that becomes a skill, or replaces one. */
export interface IncomingSkill {
  readonly name: string;
  readonly files: readonly NewFile[];
  readonly fields: Partial<Omit<SkillFields, "name" | "skill_md">>;
  readonly overwrite: boolean;
}

/** The skills: folders on disk, and records in memory, because every turn reads them. */
export interface Skills {
  readonly records: ResourceRecords<SkillFields>;
  listAll(): readonly Skill[];
  /** Lists the enabled skills, sorted by name. */
  listEnabled(): readonly Skill[];
  /** Returns an enabled skill by its name or an alias. */
  findEnabled(name: string): Skill | undefined;
  findId(name: string): string | null;
  toView(skill: Skill): Promise<SkillView>;
  /** Enables or disables a skill; without `enabled`, inverts its state. */
  toggle(id: string, enabled?: boolean): Promise<{ readonly id: string; readonly enabled: boolean }>;
  remove(id: string, withStorage: boolean, request: ChangeRequest): Promise<{ readonly storage_deleted: boolean }>;
  put(incoming: IncomingSkill): Promise<SkillView>;
  /** Stores several skills, or none if one of the names is in use. */
  putAll(incoming: readonly IncomingSkill[]): Promise<readonly SkillView[]>;
  /** Runs changes of a folder one after another. */
  runInOrder<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
}

export function createSkills({ stored, folders, implementations, getExclusive }: SkillsDeps): Skills {
  const queue = createKeyedQueue();
  const runInTurn = <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
    const key = toNameKey(name);
    const runHere = () => {
      const runExclusively = getExclusive?.();
      if (!runExclusively) return run();
      // Includes changes that another process has just made.
      return runExclusively(`skill ${key}`, async () => {
        await stored().reload();
        return run();
      });
    };
    return queue(key, runHere);
  };
  const get = (id: string) => {
    const found = stored().peek(id);
    if (!found) throw notFound("skill", id);
    return found;
  };
  const toView = async (skill: Skill): Promise<SkillView> => {
    const files = await folders.list(skill.name).catch(ignoreNotFound);
    const scripts = (files ?? [])
      .filter(({ path }) => path.startsWith(SCRIPTS_FOLDER))
      .map(({ path }) => path.slice(SCRIPTS_FOLDER.length));
    return { ...SKILL_SECRETS.masked(skill), has_storage: files !== undefined, scripts };
  };
  const findByName = (name: string) => [...stored().values()].find((one) => toNameKey(one.name) === toNameKey(name));
  const rejectTakenName = async (name: string, ignoresFolder = false) => {
    if (findByName(name) || (!ignoresFolder && (await folders.has(name))))
      throw skillsTexts.error("conflict", "name_taken", { name }, { field: "name" });
    if (stored().size >= MAX_SKILLS) throw skillsTexts.error("conflict", "full", { most: MAX_SKILLS });
  };
  /** Checks the implementation and its parameters; returns the fields with its defaults, rejects with `bad_request`. */
  const validateFields = async <Given extends Partial<SkillFields>>(given: Given, before?: Skill): Promise<Given> => {
    const { implementation = before?.implementation, parameters = before?.parameters ?? {} } = given;
    if (implementation === undefined || implementation.type === "prompt") {
      const extra = Object.keys(implementation ?? {}).find((key) => key !== "type");
      if (extra) throw skillsTexts.error("bad_request", "prompt_alone", {}, { field: `implementation.${extra}` });
      return given;
    }
    if (!given.implementation && !given.parameters) return given;
    const unmasked = SKILL_SECRETS.unmasked({ implementation }, before);
    const service = implementations();
    if (!service) throw skillsTexts.error("unavailable", "tools_off", {}, { field: "implementation" });
    const whole = { type: "object", ...parameters };
    return { ...given, implementation: await service.checked({ parameters: whole, ...unmasked }) };
  };
  const toStoredDraft = (fields: Omit<SkillFields, "skill_md">, id?: string) =>
    ({ ...fields, ...(id !== undefined && { id }) }) as SkillFields;

  const put: Skills["put"] = ({ name, files, fields, overwrite }) =>
    runInTurn(name, async () => {
      const there = findByName(name);
      if (there && there.name !== name)
        throw skillsTexts.error("conflict", "case_of_name", { name: there.name }, { field: "folder_name" });
      if (!overwrite) await rejectTakenName(name);
      else if (!there) await rejectTakenName(name, (await folders.listNames()).includes(name));
      const given = await validateFields(fields, there);
      const before = there && (await folders.list(name).catch(ignoreNotFound));
      await folders.put(name, files);
      let item: Skill;
      try {
        item = there
          ? await stored().change(there.id, given)
          : await stored().create(toStoredDraft({ ...(skillResource.defaults as SkillFields), ...given, name }));
      } catch (error) {
        // A skill without an earlier record has no earlier folder.
        if (before === undefined) await folders.remove(name).catch(ignoreNotFound);
        throw error;
      }
      return await toView(item);
    });

  return {
    runInOrder: runInTurn,
    toView,
    listAll: () => [...stored().values()],
    listEnabled: () =>
      [...stored().values()].filter(({ enabled }) => enabled).sort((a, b) => (a.name < b.name ? -1 : 1)),
    findEnabled(name) {
      const key = toNameKey(name);
      const on = [...stored().values()].filter(({ enabled }) => enabled);
      return (
        on.find((one) => toNameKey(one.name) === key || one.id === name) ??
        on.find(({ aliases }) => aliases.some((alias) => toNameKey(alias) === key))
      );
    },
    findId: (name) => findByName(name)?.id ?? null,
    async toggle(id, enabled) {
      get(id);
      const changed = await stored().change(id, (before) => ({ enabled: enabled ?? !before.enabled }));
      return { id, enabled: changed.enabled };
    },
    async remove(id, withStorage, request) {
      const { name } = get(id);
      return runInTurn(name, async () => {
        checkRevision(get(id), request.ifMatch);
        await stored().remove(id, request);
        const hadFolder = withStorage && (await folders.remove(name).catch(ignoreNotFound)) !== undefined;
        return { storage_deleted: hadFolder };
      });
    },
    put,
    async putAll(incoming) {
      // All or none: conflicting names are found before anything is written.
      if (incoming.length > 1) for (const { name, overwrite } of incoming) if (!overwrite) await rejectTakenName(name);
      const made: SkillView[] = [];
      for (const one of incoming) made.push(await put(one));
      return made;
    },
    records: {
      async page(query) {
        const page = await stored().page(query);
        return { ...page, items: await Promise.all(page.items.map(toView)) };
      },
      get: async (id) => toView(get(id)),
      create: ({ skill_md, ...draft }) =>
        runInTurn(draft.name, async () => {
          await rejectTakenName(draft.name);
          const { id } = draft as { readonly id?: string };
          const fields = await validateFields(draft);
          const text = skill_md ?? (await createSkillMd(draft.name, draft.description));
          await folders.put(draft.name, [{ path: SKILL_MD, bytes: Buffer.from(text) }]);
          try {
            const item = await stored().create(toStoredDraft(fields, id));
            return { ...(await toView(item)), storage_created: true };
          } catch (error) {
            await folders.remove(draft.name).catch(ignoreNotFound);
            throw error;
          }
        }),
      async change(id, { skill_md, ...patch }, { ifMatch }) {
        const { name } = get(id);
        return runInTurn(name, async () => {
          const before = get(id);
          checkRevision(before, ifMatch);
          if (patch.name !== undefined && patch.name !== name)
            throw skillsTexts.error("bad_request", "name_fixed", {}, { field: "name" });
          const fields = await validateFields(patch, before);
          if (skill_md !== undefined) {
            const file = { path: SKILL_MD, bytes: Buffer.from(skill_md) };
            await ((await folders.has(name)) ? folders.write(name, file) : folders.put(name, [file]));
          }
          return toView(await stored().change(id, fields, { ifMatch }));
        });
      },
      remove: () => Promise.reject(skillsTexts.error("internal", "with_folder")),
    },
  };
}

function ignoreNotFound(error: unknown): undefined {
  if (!AppError.is(error) || error.code !== "not_found") throw error;
}
