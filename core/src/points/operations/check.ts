import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../resource/field-schemas.ts";
import type { ReadRows } from "../../services/conversations/sessions.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** Something that is not as it should be, in words for who runs the service. */
export interface Finding {
  /** `<who looked>.<what is wrong>`, for programs. */
  readonly key: string;
  /** `problem`: people are not served, or soon will not be. */
  readonly level: "warning" | "problem";
  /** A sentence with the names and figures in it. */
  readonly said: Localized;
  /** What to do. */
  readonly advice: Localized;
  /** The names and figures alone. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** The page of the console where it is mended. */
  readonly page?: string;
}

/** Looks whether one part of the service is as it should be. Cheap: counters and rows that an index finds. */
export interface Check {
  /** The plugin, or the part of it. */
  readonly id: string;
  /** What is wrong while the service runs; empty where nothing is. */
  run(): Promise<readonly Finding[]>;
  /** What `parley doctor` looks at in a data folder in which no service works. */
  readonly atRest?: CheckAtRest;
  /** What `parley doctor` asks where no service works: whether what lies elsewhere can be reached. Nothing is changed there. */
  elsewhere?(): Promise<readonly Finding[]>;
}

/** What is looked at in the data folder of a service that does not run. */
export interface CheckAtRest {
  /** Tables of its own that it reads; it is left out where one is not there yet. */
  readonly tables: readonly string[];
  /** `read` gives rows of `parley.db`. */
  examine(read: ReadRows, now: number): readonly Finding[];
}

const localized = Joi.object<Localized>({
  en: Joi.string().max(4_000).required(),
  zh: Joi.string().max(4_000).required(),
}).required();
const checkShape = validateWith<Check>(
  Joi.object<Check>({
    id: wordSchema.required(),
    run: functionSchema.required(),
    elsewhere: functionSchema,
    atRest: Joi.object<CheckAtRest>({
      tables: Joi.array().items(Joi.string()).required(),
      examine: functionSchema.required(),
    }).unknown(),
  }).unknown(),
);
const findingsShape = validateWith<readonly Finding[]>(
  Joi.array().items(
    Joi.object<Finding>({
      key: Joi.string().max(100).required(),
      level: Joi.valid("warning", "problem").required(),
      said: localized,
      advice: localized,
      parameters: Joi.object().pattern(Joi.string(), Joi.alternatives(Joi.string().allow(""), Joi.number())),
      page: Joi.string().pattern(/^\/[\w/-]*$/),
    }),
  ),
);

/** What is asked whether everything is all right: by the console's status page and by `parley doctor`. */
export const Checks: ExtensionPoint<Check> = extensionPoint("checks", {
  accept(contribution) {
    const check = checkShape(contribution);
    const { id, atRest } = check;
    return {
      id,
      run: async () => findingsShape(await check.run()),
      ...(check.elsewhere && { elsewhere: async () => findingsShape(await check.elsewhere?.()) }),
      ...(atRest && {
        atRest: { tables: atRest.tables, examine: (read, now) => findingsShape(atRest.examine(read, now)) },
      }),
    };
  },
  unique: { kind: "check", names: ({ id }) => [id] },
});
