import Joi, { type Schema } from "@hapi/joi";
import type { ItemFailure } from "../../error-texts.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import type { Caller } from "../../services/operations/accounts.ts";
import { anySchema, functionSchema, validateWith } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";

/** Caller of an import, and its mode for existing ids: `skip` leaves them, `overwrite` replaces them. */
export interface TransferContext {
  readonly caller: Caller;
  readonly mode: "skip" | "overwrite";
  /** Result of the section's `secrets` at export; absent when the package has none. */
  readonly secrets?: TransferSecrets;
}

/** Plain-text keys by the id of their record. Only allowed in the encrypted part of a package. */
export type TransferSecrets = Readonly<Record<string, string>>;

/** Preview of one record of an import. */
export interface TransferItem {
  readonly id: string;
  readonly name: string;
  readonly action: "create" | "update" | "skip";
  /** Names of the fields that an update changes; never their values. */
  readonly changed_fields: readonly string[];
  /** Reason the item is skipped. */
  readonly why?: string;
  readonly why_detail?: ItemFailure["detail"];
}

/** Preview of an import; creating it changes nothing. */
export interface TransferPlan {
  readonly items: readonly TransferItem[];
  /** Environment variables that the imported records use. */
  readonly variables: readonly string[];
}

/** Steps of an import. */
export interface TransferSteps {
  /** Stores the planned records. Returns the rejected ones; all others are stored. */
  run(): Promise<readonly TransferFailure[]>;
  /** Reverts `run`, also a partial one, because another part of the import failed. */
  undo(): Promise<void>;
}

/** A record of a package that could not be imported, with the reason. */
export interface TransferFailure extends ItemFailure {
  readonly id: string;
}

/** One section of a configuration package: a plugin's data for another installation. */
export interface TransferSection<Part = unknown> {
  /** snake_case, as in the package: `ai_models`. */
  readonly id: string;
  readonly title: Localized;
  /** Schema that an imported section is validated against. */
  readonly schema: Schema<Part>;
  /** Returns the section as JSON without secrets; names of environment variables are not secret. */
  export(caller: Caller): Promise<Part>;
  /** Returns the keys of its records, for a package that includes them. */
  secrets?(caller: Caller): Promise<TransferSecrets>;
  /** Plans the import of `part`, which is valid by the schema; rejects with `bad_request` when it can never be applied. */
  plan(part: Part, context: TransferContext): Promise<TransferPlan>;
  apply(part: Part, plan: TransferPlan, context: TransferContext): Promise<TransferSteps>;
}

/** Sections of a configuration package. */
export const TransferSections: ExtensionPoint<TransferSection> = extensionPoint("transfer-sections", {
  accept: validateWith(
    Joi.object({
      id: Joi.string()
        .pattern(/^[a-z][a-z0-9_]{0,39}$/, "a name in snake_case")
        .required(),
      title: localizedSchema.required(),
      schema: anySchema.required(),
      export: functionSchema.required(),
      secrets: functionSchema,
      plan: functionSchema.required(),
      apply: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "transfer section", names: ({ id }) => [id] },
  ends: ["export", "secrets", "plan", "apply"],
});
