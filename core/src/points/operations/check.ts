import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import type { ReadRows } from "../../services/conversations/sessions.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import { toLocalizedSchema } from "../../validation/localized-schema.ts";

/** A problem of the installation, described for its operator. */
export interface Finding {
  /** `<check>.<problem>`, for programs. */
  readonly key: string;
  /** A `problem` means that people are not served, or soon will not be. */
  readonly level: "warning" | "problem";
  /** The finding as a sentence that contains its names and figures. */
  readonly said: Localized;
  readonly advice: Localized;
  /** The names and figures of the sentence, for programs. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** Console page on which it can be fixed. */
  readonly page?: string;
}

/** A health check of one part of the service. Must be cheap: counters and indexed rows. */
export interface Check {
  /** Name of the plugin or of the checked part of it. */
  readonly id: string;
  /** Returns the current problems of the running service; empty when there are none. */
  run(): Promise<readonly Finding[]>;
  /** Throws for `parley check` when config.ini or the environment lacks something, such as a variable. Does no I/O. */
  beforeStart?(): void;
  /** Checks for `parley doctor` in a data folder without a running service. */
  readonly atRest?: CheckAtRest;
  /** Tests for `parley doctor`, without a running service, whether external systems are reachable. Changes nothing there. */
  elsewhere?(): Promise<readonly Finding[]>;
}

/** Check of the data folder while the service is stopped. */
export interface CheckAtRest {
  /** Tables of the plugin that `examine` reads; the check is skipped while one of them does not exist. */
  readonly tables: readonly string[];
  /** Examines the data; `read` queries rows of `parley.db`. */
  examine(read: ReadRows, now: number): readonly Finding[];
}

const localized = toLocalizedSchema(Joi.string().max(4_000)).required();
const checkShape = validateWith<Check>(
  Joi.object<Check>({
    id: wordSchema.required(),
    run: functionSchema.required(),
    beforeStart: functionSchema,
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

/** Health checks for the console's status page and `parley doctor`. */
export const Checks: ExtensionPoint<Check> = extensionPoint("checks", {
  accept(contribution) {
    const check = checkShape(contribution);
    const { id, atRest } = check;
    return {
      id,
      run: async () => findingsShape(await check.run()),
      ...(check.beforeStart && { beforeStart: () => check.beforeStart?.() }),
      ...(check.elsewhere && { elsewhere: async () => findingsShape(await check.elsewhere?.()) }),
      ...(atRest && {
        atRest: { tables: atRest.tables, examine: (read, now) => findingsShape(atRest.examine(read, now)) },
      }),
    };
  },
  unique: { kind: "check", names: ({ id }) => [id] },
});
