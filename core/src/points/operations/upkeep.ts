import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { functionSchema, validateWith } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";
import type { JobContext } from "./job-kind.ts";

/** Regular housekeeping of a plugin, such as deleting expired rows. `plugins/jobs` runs it as a job on a schedule. */
export interface Upkeep {
  /** Name of its job kind and of its schedule: `<plugin>.<what>`. */
  readonly name: string;
  readonly title: Localized;
  /** Milliseconds from one run to the next; a run missed within a day is made up. */
  readonly everyMs: number;
  /** Does the work, once at a time over all processes; a failed run is retried. */
  run(context: Pick<JobContext, "log" | "signal">): Promise<void>;
}

/** Housekeeping of plugins. */
export const Upkeeps: ExtensionPoint<Upkeep> = extensionPoint("upkeeps", {
  accept: validateWith(
    Joi.object({
      name: Joi.string()
        .pattern(/^[a-z][\w-]*\.[\w-]+$/, "a name like plugin.what")
        .max(100)
        .required(),
      title: localizedSchema.required(),
      everyMs: Joi.number().integer().min(60_000).max(31_622_400_000).required(),
      run: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "job kind", names: ({ name }) => [name] },
  ends: ["run"],
});
