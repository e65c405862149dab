import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { ReadRows } from "../../services/conversations/sessions.ts";
import { functionSchema, validateWith } from "../../validation/joi-schemas.ts";

/** A stored file that a row refers to, with its size and checksum. */
export interface NamedBlob {
  readonly name: string;
  readonly size: number;
  /** SHA-256 of the content, 64 hex digits. */
  readonly sha256: string;
}

/** Files that rows refer to; a backup of the rows must include them, wherever they are stored. */
export interface BlobRows {
  /** Folder of the files in the data folder, without a `/` at the end, while no plugin provides a `BlobStore`. */
  readonly folder: string;
  /** Tables of `parley.db` that `next` reads. */
  readonly tables: readonly string[];
  /** Returns the next files after the name `after`, in order of name and in batches; empty at the end. */
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

/** Files named by rows, for backups that copy rows together with their files. */
export const BlobRows: ExtensionPoint<BlobRows> = extensionPoint("blob-rows", { accept: shape });
