import {
  AppError,
  type ChangeRequest,
  checkRevision,
  createHeldRecords,
  type Databases,
  notFound,
  pageOfHeld,
  type ResourceItem,
  type ResourceRecords,
  type SealedRecords,
  type ToolImplementations,
} from "@parley/core";
import { SCRIPTS, SKILL_MD } from "./file-types.ts";
import { newSkillMd } from "./front-matter.ts";
import { nameKey } from "./names.ts";
import { skillFailure } from "./said-failures.ts";
import { MAX_SKILLS, SKILL_SECRETS, type SkillFields, skills } from "./schema.ts";
import type { NewFile, SkillFolders } from "./skill-folders.ts";

export type Skill = ResourceItem<Omit<SkillFields, "skill_md">>;
export interface ShownSkill extends Skill {
  readonly has_storage: boolean;
  readonly scripts: readonly string[];
}

export interface SkillsParts {
  readonly stored: () => SealedRecords<SkillFields>;
  readonly folders: SkillFolders;
  /** Undefined: nobody runs implementations here. */
  readonly implementations: () => ToolImplementations | undefined;
  /** Where several processes work: runs what only one may do at once. */
  readonly alone?: () => Databases["alone"] | undefined;
}

/** A folder of somebody's that becomes a skill, or takes the place of one. */
export interface Incoming {
  readonly name: string;
  readonly files: readonly NewFile[];
  readonly fields: Partial<Omit<SkillFields, "name" | "skill_md">>;
  readonly overwrite: boolean;
}

/** Skills: their records, held in memory because every turn asks for them, and their folders. */
export interface Skills {
  readonly rows: ResourceRecords<SkillFields>;
  load(): Promise<void>;
  /** Seals what an earlier version stored in clear. */
  sealAll(): Promise<void>;
  /** Hears what other processes change; returns the end of it. */
  follow(): () => void;
  all(): readonly Skill[];
  /** Those that are on, by name. */
  enabled(): readonly Skill[];
  /** One that is on, by its name or one of its other names. */
  named(name: string): Skill | undefined;
  idOf(name: string): string | null;
  shown(skill: Skill): Promise<ShownSkill>;
  /** Without `enabled` the state is inverted. */
  toggle(id: string, enabled?: boolean): Promise<{ readonly id: string; readonly enabled: boolean }>;
  remove(id: string, withStorage: boolean, request: ChangeRequest): Promise<{ readonly storage_deleted: boolean }>;
  put(incoming: Incoming): Promise<ShownSkill>;
  /** The same for several; nothing is stored where one of them is taken. */
  putAll(incoming: readonly Incoming[]): Promise<readonly ShownSkill[]>;
  /** Runs what changes a folder, one after another. */
  inTurn<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
}

export function createSkills({ stored, folders, implementations, alone }: SkillsParts): Skills {
  const held = createHeldRecords({ stored });
  const turns = new Map<string, Promise<unknown>>();
  const inTurn = <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
    const key = nameKey(name);
    const here = () => {
      const among = alone?.();
      if (!among) return run();
      // What another process has made a moment ago counts.
      return among(`skill ${key}`, async () => {
        await held.load();
        return run();
      });
    };
    const mine = (turns.get(key) ?? Promise.resolve()).then(here, here);
    turns.set(key, mine);
    const done = () => {
      if (turns.get(key) === mine) turns.delete(key);
    };
    mine.then(done, done);
    return mine;
  };
  const get = (id: string) => {
    const found = held.get(id);
    if (!found) throw notFound("skill", id);
    return found;
  };
  const shown = async (skill: Skill): Promise<ShownSkill> => {
    const files = await folders.files(skill.name).catch(noFolder);
    const scripts = (files ?? [])
      .filter(({ path }) => path.startsWith(SCRIPTS))
      .map(({ path }) => path.slice(SCRIPTS.length));
    return { ...SKILL_SECRETS.masked(skill), has_storage: files !== undefined, scripts };
  };
  const byName = (name: string) => [...held.all()].find((one) => nameKey(one.name) === nameKey(name));
  const refuseTaken = async (name: string, ignoresFolder = false) => {
    if (byName(name) || (!ignoresFolder && (await folders.has(name))))
      throw skillFailure("conflict", "name_taken", { name }, { field: "name" });
    if (held.size >= MAX_SKILLS) throw skillFailure("conflict", "full", { most: MAX_SKILLS });
  };
  /** With the defaults of what it does. */
  const checked = async <Given extends Partial<SkillFields>>(given: Given, before?: Skill): Promise<Given> => {
    const { implementation = before?.implementation, parameters = before?.parameters ?? {} } = given;
    if (implementation === undefined || implementation.type === "prompt") {
      const extra = Object.keys(implementation ?? {}).find((key) => key !== "type");
      if (extra) throw skillFailure("bad_request", "prompt_alone", {}, { field: `implementation.${extra}` });
      return given;
    }
    if (!given.implementation && !given.parameters) return given;
    const unmasked = SKILL_SECRETS.unmasked({ implementation }, before);
    const service = implementations();
    if (!service) throw skillFailure("unavailable", "tools_off", {}, { field: "implementation" });
    const whole = { type: "object", ...parameters };
    return { ...given, implementation: await service.checked({ parameters: whole, ...unmasked }) };
  };
  const storedDraft = (fields: Omit<SkillFields, "skill_md">, id?: string) =>
    ({ ...fields, ...(id !== undefined && { id }) }) as SkillFields;

  const put: Skills["put"] = ({ name, files, fields, overwrite }) =>
    inTurn(name, async () => {
      const there = byName(name);
      if (there && there.name !== name)
        throw skillFailure("conflict", "case_of_name", { name: there.name }, { field: "folder_name" });
      if (!overwrite) await refuseTaken(name);
      else if (!there) await refuseTaken(name, (await folders.names()).includes(name));
      const given = await checked(fields, there);
      const before = there && (await folders.files(name).catch(noFolder));
      await folders.put(name, files);
      let item: Skill;
      try {
        item = there
          ? await stored().change(there.id, given)
          : await stored().create(storedDraft({ ...(skills.defaults as SkillFields), ...given, name }));
      } catch (error) {
        // What had no record before has no folder either.
        if (before === undefined) await folders.remove(name).catch(noFolder);
        throw error;
      }
      return await shown(held.hold(item));
    });

  return {
    inTurn,
    shown,
    all: () => [...held.all()],
    enabled: () => [...held.all()].filter(({ enabled }) => enabled).sort((a, b) => (a.name < b.name ? -1 : 1)),
    named(name) {
      const key = nameKey(name);
      const on = [...held.all()].filter(({ enabled }) => enabled);
      return (
        on.find((one) => nameKey(one.name) === key || one.id === name) ??
        on.find(({ aliases }) => aliases.some((alias) => nameKey(alias) === key))
      );
    },
    idOf: (name) => byName(name)?.id ?? null,
    load: held.load,
    async sealAll() {
      if ((await stored().sealAll()) > 0) await held.load();
    },
    follow: held.follow,
    async toggle(id, enabled) {
      get(id);
      const changed = await stored().change(id, (before) => ({ enabled: enabled ?? !before.enabled }));
      held.hold(changed);
      return { id, enabled: changed.enabled };
    },
    async remove(id, withStorage, request) {
      const { name } = get(id);
      return inTurn(name, async () => {
        checkRevision(get(id), request.ifMatch);
        await stored().remove(id, request);
        held.drop(id);
        const hadFolder = withStorage && (await folders.remove(name).catch(noFolder)) !== undefined;
        return { storage_deleted: hadFolder };
      });
    },
    put,
    async putAll(incoming) {
      // All or none: what is there already is found before anything is written.
      if (incoming.length > 1) for (const { name, overwrite } of incoming) if (!overwrite) await refuseTaken(name);
      const made: ShownSkill[] = [];
      for (const one of incoming) made.push(await put(one));
      return made;
    },
    rows: {
      async page(query) {
        const page = pageOfHeld(skills, [...held.all()], query);
        return { ...page, items: await Promise.all(page.items.map(shown)) };
      },
      get: async (id) => shown(get(id)),
      create: ({ skill_md, ...draft }) =>
        inTurn(draft.name, async () => {
          await refuseTaken(draft.name);
          const { id } = draft as { readonly id?: string };
          const fields = await checked(draft);
          const text = skill_md ?? (await newSkillMd(draft.name, draft.description));
          await folders.put(draft.name, [{ path: SKILL_MD, bytes: Buffer.from(text) }]);
          try {
            const item = held.hold(await stored().create(storedDraft(fields, id)));
            return { ...(await shown(item)), storage_created: true };
          } catch (error) {
            await folders.remove(draft.name).catch(noFolder);
            throw error;
          }
        }),
      async change(id, { skill_md, ...patch }, { ifMatch }) {
        const { name } = get(id);
        return inTurn(name, async () => {
          const before = get(id);
          checkRevision(before, ifMatch);
          if (patch.name !== undefined && patch.name !== name)
            throw skillFailure("bad_request", "name_fixed", {}, { field: "name" });
          const fields = await checked(patch, before);
          if (skill_md !== undefined) {
            const file = { path: SKILL_MD, bytes: Buffer.from(skill_md) };
            await ((await folders.has(name)) ? folders.write(name, file) : folders.put(name, [file]));
          }
          return shown(held.hold(await stored().change(id, fields, { ifMatch })));
        });
      },
      remove: () => Promise.reject(skillFailure("internal", "with_folder")),
    },
  };
}

function noFolder(error: unknown): undefined {
  if (!AppError.is(error) || error.code !== "not_found") throw error;
}
