import type { ObjectSchema } from "@hapi/joi";
import {
  AppError,
  type Caller,
  differing,
  maskLiteralSecrets,
  REQUEST_SECRETS,
  recordsSection,
  requestComingIn,
  requestSecretsOf,
  type TransferSection,
  textOf,
} from "@parley/core";
import { REFERENCE_MD, SKILL_MD, utf8Of } from "./file-types.ts";
import { skills as declared, MAX_TEXT, type SkillFields } from "./schema.ts";
import type { SkillFolders } from "./skill-folders.ts";
import type { Skill, Skills } from "./skills.ts";

/** A skill as it goes along: its record and its two texts; scripts and other files stay where they are. */
interface Transferred extends SkillFields {
  readonly id: string;
  readonly skill_md: string;
  readonly reference_md: string;
  readonly [REQUEST_SECRETS]?: string | null;
}

const FIELDS = Object.keys(declared.fields);

/** Skills in a configuration package; what comes in is switched on by hand. */
export function skillsSection(skills: () => Skills, folders: () => SkillFolders): TransferSection {
  const textIn = async (name: string, path: string) => {
    const file = await folders()
      .read(name, path)
      .catch((error: unknown) => {
        if (AppError.is(error) && error.code === "not_found") return undefined;
        throw error;
      });
    return (file && utf8Of(file.bytes)) ?? "";
  };
  const whole = async (skill: Skill): Promise<Transferred> => {
    const { id, name } = skill;
    const fields = Object.fromEntries(
      Object.entries(skill).filter(([key]) => FIELDS.includes(key)),
    ) as unknown as SkillFields;
    const implementation = maskLiteralSecrets(fields.implementation);
    return {
      ...fields,
      implementation,
      id,
      skill_md: await textIn(name, SKILL_MD),
      reference_md: await textIn(name, REFERENCE_MD),
    };
  };
  const reference = (name: string, text: string) =>
    skills().inTurn(name, () => folders().write(name, { path: REFERENCE_MD, bytes: Buffer.from(text) }));
  return recordsSection<Transferred>({
    id: "skills",
    title: declared.title.many,
    item: (declared.draft as ObjectSchema)
      .fork("id", (id) => id.required())
      .keys({ skill_md: textOf(MAX_TEXT).default(""), reference_md: textOf(MAX_TEXT).default("") }),
    all: () => Promise.all(skills().all().map(whole)),
    taken(item, there) {
      const asHere = { ...item, enabled: there?.enabled ?? false };
      const isSame = there !== undefined && differing(there, asHere).length === 0;
      return isSame ? asHere : { ...item, enabled: false };
    },
    secret: {
      field: REQUEST_SECRETS,
      all: async () =>
        requestSecretsOf(
          skills()
            .all()
            .map(({ id, implementation: request }) => ({ id, request })),
        ),
    },
    async create({ reference_md, [REQUEST_SECRETS]: secrets, ...draft }, caller: Caller) {
      const implementation = requestComingIn(draft.implementation, secrets, undefined);
      await skills().rows.create({ ...draft, implementation }, { caller });
      if (reference_md !== "") await reference(draft.name, reference_md);
    },
    async change({ id, reference_md, [REQUEST_SECRETS]: secrets, ...item }, changed, caller) {
      const there = skills()
        .all()
        .find((one) => one.id === id);
      const isCalled = changed.includes("implementation") || changed.includes(REQUEST_SECRETS);
      const patch = {
        ...Object.fromEntries(Object.entries(item).filter(([key]) => changed.includes(key))),
        ...(isCalled && { implementation: requestComingIn(item.implementation, secrets, there?.implementation) }),
      };
      if (Object.keys(patch).length > 0) await skills().rows.change(id, patch, { caller });
      if (changed.includes("reference_md")) await reference(item.name, reference_md);
    },
    remove: (id, caller) => skills().remove(id, true, { caller }),
  });
}
