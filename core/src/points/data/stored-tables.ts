import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { RegisterContext } from "../../plugin.ts";
import type { Resource } from "../../resource/resource.ts";
import type { DocumentKind } from "../../services/collections.ts";
import { functionSchema, objectSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** Tables created on first use instead of at start. Moving, backing up or restoring rows creates them first, so that no row is left behind. */
export interface TableSet {
  /** `<plugin>.<what>`. */
  readonly id: string;
  /** Creates the tables by `Database.migrate`, as their first use does; safe to repeat. */
  prepare(): Promise<void>;
}

/** Tables that plugins create at first use; those created by `start` need no declaration. */
export const StoredTables: ExtensionPoint<TableSet> = extensionPoint("stored-tables", {
  accept: validateWith(
    Joi.object<TableSet>({ id: wordSchema.required(), prepare: functionSchema.required() }).unknown(),
  ),
  unique: { kind: "set of tables", names: ({ id }) => [id] },
});

/** Kinds of records that `RecordStore` stores; it stores no other. Added by `addRecords`. */
export const RecordKinds: ExtensionPoint<Resource> = extensionPoint("record-kinds", {
  accept: validateWith(Joi.object<Resource>({ kind: wordSchema.required(), draft: objectSchema.required() }).unknown()),
  unique: { kind: "kind of records", names: ({ kind }) => [kind] },
});

/** Kinds of documents that `RecordStore` stores; it stores no other. Added by `addDocuments`. */
export const DocumentKinds: ExtensionPoint<DocumentKind> = extensionPoint("document-kinds", {
  accept: validateWith(Joi.object<DocumentKind>({ name: wordSchema.required() }).unknown()),
  unique: { kind: "kind of documents", names: ({ name }) => [name] },
});

/** Declares kinds of documents; call it in `register`. */
export function addDocuments(
  { contribute }: Pick<RegisterContext<never>, "contribute">,
  // A kind with documents of any shape; only their owner knows the fields.
  ...kinds: readonly DocumentKind<never>[]
): void {
  for (const kind of kinds) contribute(DocumentKinds, () => kind as unknown as DocumentKind);
}

/** Declares a resource whose records `RecordStore` stores; call it in `register`. `addResource` calls it when it gets no `records`. */
export function addRecords<Fields extends object>(
  { contribute }: Pick<RegisterContext<never>, "contribute">,
  one: Resource<Fields>,
): void {
  contribute(RecordKinds, () => one as unknown as Resource);
}
