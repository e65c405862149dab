import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** Fields of a plugin's records with addresses of stored pictures; a referenced portrait counts as in use. */
export interface PictureFields {
  /** `<plugin>.<what>` */
  readonly id: string;
  /** Returns all addresses in these fields; may include empty ones. */
  used(): Promise<Iterable<string>>;
  /** Empties every field with this address; returns the count. */
  clear(url: string): Promise<number>;
}

/** Uses of pictures by other records. */
export const PictureFields: ExtensionPoint<PictureFields> = extensionPoint("picture-fields", {
  accept: validateWith(
    Joi.object({
      id: wordSchema.required(),
      used: functionSchema.required(),
      clear: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "picture fields", names: ({ id }) => [id] },
});
