import type { ObjectSchema } from "@hapi/joi";
import { AppError, type Caller, decodeText, type TransferSection, textOf } from "@parley/core";
import { LITERAL_SECRETS } from "@parley/core/secrets";
import { diffFields, recordsSection } from "@parley/core/transfer";
import { skillResource as declared, MAX_TEXT, SKILL_SECRETS, type SkillFields } from "./schema.ts";
import type { Skill, Skills } from "./skills.ts";
import { REFERENCE_MD, SKILL_MD } from "./storage/file-types.ts";
import type { SkillFolders } from "./storage/skill-folders.ts";

/** An exported skill: its record and its two texts; scripts and other files are not exported. */
interface TransferredSkill extends SkillFields {
  readonly id: string;
  readonly skill_md: string;
  readonly reference_md: string;
  readonly [LITERAL_SECRETS]?: string | null;
}

const FIELD_NAMES = Object.keys(declared.fields);

/** Creates the transfer section of skills; imported ones must be enabled manually. */
export function createSkillsSection(skills: () => Skills, folders: () => SkillFolders): TransferSection {
  const readText = async (name: string, path: string) => {
    const file = await folders()
      .read(name, path)
      .catch((error: unknown) => {
        if (AppError.is(error) && error.code === "not_found") return undefined;
        throw error;
      });
    return (file && decodeText(file.bytes)) ?? "";
  };
  const toTransferred = async (skill: Skill): Promise<TransferredSkill> => {
    const { id, name } = skill;
    const fields = Object.fromEntries(
      Object.entries(SKILL_SECRETS.masked(skill)).filter(([key]) => FIELD_NAMES.includes(key)),
    ) as unknown as SkillFields;
    return {
      ...fields,
      id,
      skill_md: await readText(name, SKILL_MD),
      reference_md: await readText(name, REFERENCE_MD),
    };
  };
  const writeReference = (name: string, text: string) =>
    skills().runInOrder(name, () => folders().write(name, { path: REFERENCE_MD, bytes: Buffer.from(text) }));
  return recordsSection<TransferredSkill>({
    id: "skills",
    title: declared.title.many,
    item: (declared.draft as ObjectSchema)
      .fork("id", (id) => id.required())
      .keys({ skill_md: textOf(MAX_TEXT).default(""), reference_md: textOf(MAX_TEXT).default("") }),
    all: () => Promise.all(skills().listAll().map(toTransferred)),
    taken(item, there) {
      const asHere = { ...item, enabled: there?.enabled ?? false };
      const isSame = there !== undefined && diffFields(there, asHere).length === 0;
      return isSame ? asHere : { ...item, enabled: false };
    },
    literals: { secrets: SKILL_SECRETS, all: async () => skills().listAll() },
    async create({ reference_md, [LITERAL_SECRETS]: secrets, ...draft }, caller: Caller) {
      await skills().records.create(SKILL_SECRETS.comingIn(draft, secrets), { caller });
      if (reference_md !== "") await writeReference(draft.name, reference_md);
    },
    async change({ id, reference_md, [LITERAL_SECRETS]: secrets, ...item }, changed, caller) {
      const there = skills()
        .listAll()
        .find((one) => one.id === id);
      const isCalled = changed.includes("implementation") || changed.includes(LITERAL_SECRETS);
      const patch = {
        ...Object.fromEntries(Object.entries(item).filter(([key]) => changed.includes(key))),
        ...(isCalled && SKILL_SECRETS.comingIn({ implementation: item.implementation }, secrets, there)),
      };
      if (Object.keys(patch).length > 0) await skills().records.change(id, patch, { caller });
      if (changed.includes("reference_md")) await writeReference(item.name, reference_md);
    },
    remove: (id, caller) => skills().remove(id, true, { caller }),
  });
}
