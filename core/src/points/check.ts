import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import { runs, shaped, word } from "../shape.ts";

/** Something that is not as it should be, in words for who runs the service. */
export interface Finding {
  /** `<who looked>.<what is wrong>`: the console says it in the reader's language by this name. */
  readonly key: string;
  /** `problem`: people are not served, or soon will not be. */
  readonly level: "warning" | "problem";
  /** A sentence with the names and figures in it. */
  readonly said: string;
  readonly advice: string;
  /** The names and figures alone. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** The page of the console where it is mended. */
  readonly page?: string;
}

/** Looks whether one part of the service is as it should be. Cheap: counters and rows that an index finds. */
export interface Check {
  /** The plugin, or the part of it. */
  readonly id: string;
  /** What is wrong; empty where nothing is. */
  run(): Promise<readonly Finding[]>;
}

const checkShape = shaped<Check>(Joi.object<Check>({ id: word.required(), run: runs.required() }).unknown());
const findingsShape = shaped<readonly Finding[]>(
  Joi.array().items(
    Joi.object<Finding>({
      key: Joi.string().max(100).required(),
      level: Joi.valid("warning", "problem").required(),
      said: Joi.string().max(1_000).required(),
      advice: Joi.string().max(1_000).required(),
      parameters: Joi.object().pattern(Joi.string(), Joi.alternatives(Joi.string().allow(""), Joi.number())),
      page: Joi.string().pattern(/^\/[\w/-]*$/),
    }),
  ),
);

/** What is asked whether everything is all right: by the console's status page and by `parley doctor`. */
export const Checks: ExtensionPoint<Check> = extensionPoint("checks", {
  accept(contribution) {
    const { id, run } = checkShape(contribution);
    return { id, run: async () => findingsShape(await run()) };
  },
});
