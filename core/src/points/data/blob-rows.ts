import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { ReadRows } from "../../services/conversations/sessions.ts";
import { functionSchema, validateWith } from "../../validation/joi-schemas.ts";

/** Bytes that a row names, and what it says of them. */
export interface NamedBlob {
  readonly name: string;
  readonly size: number;
  /** Of its content, 64 hex digits. */
  readonly sha256: string;
}

/** Which bytes rows name: a backup of the rows must have them, wherever they lie. */
export interface BlobRows {
  /** In the data folder, with `/`: where they lie while no plugin provides a `BlobStore`. */
  readonly folder: string;
  /** Of `parley.db`: those that are read. */
  readonly tables: readonly string[];
  /** The next ones behind the name `after`, some at a time, in the order of their names; none: these were all. */
  next(read: ReadRows, after: string): readonly NamedBlob[];
}

const shape = validateWith<BlobRows>(
  Joi.object<BlobRows>({
    folder: Joi.string()
      .pattern(/^[\w-]+(\/[\w-]+)*$/)
      .required(),
    tables: Joi.array().items(Joi.string()).required(),
    next: functionSchema.required(),
  }).unknown(),
);

/** What is asked by who copies rows together with the files that they name. */
export const BlobRows: ExtensionPoint<BlobRows> = extensionPoint("blob-rows", { accept: shape });
