import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { JsonFileOptions } from "../../services/storage/json-files.ts";
import { functionSchema, validateWith } from "../../validation/joi-schemas.ts";

/** A JSON file that people edit, opened with `JsonFiles`. `parley doctor` checks it when no service runs. */
export interface EditedFile extends Pick<JsonFileOptions<unknown>, "path" | "parse"> {
  /** The page of the console where its content is shown. */
  readonly page?: string;
}

/** Hand-edited files. A broken one is reported at reload, at health, on the Status page and by `parley doctor`. */
export const EditedFiles: ExtensionPoint<EditedFile> = extensionPoint("edited-files", {
  accept: validateWith(
    Joi.object<EditedFile>({
      path: Joi.string().required(),
      parse: functionSchema.required(),
      page: Joi.string(),
    }).unknown(),
  ),
  unique: { kind: "edited file", names: ({ path }) => [path] },
});
