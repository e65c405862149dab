import Joi, { type Schema } from "@hapi/joi";
import type { ItemFailure } from "../../error-texts.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../resource/field-schemas.ts";
import type { Caller } from "../../services/operations/accounts.ts";
import { anySchema, functionSchema, validateWith } from "../../validation/joi-schemas.ts";

/** Who imports, and what becomes of what is there already under the same id: it stays, or it becomes as the package says. */
export interface TransferContext {
  readonly caller: Caller;
  readonly mode: "skip" | "overwrite";
  /** What the section's `secrets` gave where the package was made; absent: it has none. */
  readonly secrets?: TransferSecrets;
}

/** Keys in the clear, by the id of the record that has them. Only ever inside the encrypted part of a package. */
export type TransferSecrets = Readonly<Record<string, string>>;

/** One row of what an import would do. */
export interface TransferItem {
  readonly id: string;
  readonly name: string;
  readonly action: "create" | "update" | "skip";
  /** Of an update: fields that become others. Never their values. */
  readonly changed_fields: readonly string[];
  /** Why something is left out that would have come in. */
  readonly why?: string;
  /** What it takes to say that in another language. */
  readonly why_detail?: ItemFailure["detail"];
}

/** What an import would do; making it changes nothing. */
export interface TransferPlan {
  readonly items: readonly TransferItem[];
  /** Environment variables that what comes in relies on. */
  readonly variables: readonly string[];
}

/** What an import does. */
export interface TransferSteps {
  /** Stores what the plan says. Gives the records that were refused; the others are in. */
  run(): Promise<readonly TransferFailure[]>;
  /** Puts back what `run` did, also when it broke off: something else of the same import failed. */
  undo(): Promise<void>;
}

/** What of a package could not be taken over, and why. */
export interface TransferFailure extends ItemFailure {
  readonly id: string;
}

/** One section of a configuration package: what a plugin gives along to another installation. */
export interface TransferSection<Part = unknown> {
  /** snake_case, as in the package: `ai_models`. */
  readonly id: string;
  readonly title: Localized;
  /** What the section must look like when it comes in. */
  readonly schema: Schema<Part>;
  /** JSON without secrets; names of variables are none. */
  export(caller: Caller): Promise<Part>;
  /** The keys of its records, for a package that is to have them. */
  secrets?(caller: Caller): Promise<TransferSecrets>;
  /** `bad_request` for what could not be applied whatever is done. `part` is valid by the schema. */
  plan(part: Part, context: TransferContext): Promise<TransferPlan>;
  apply(part: Part, plan: TransferPlan, context: TransferContext): Promise<TransferSteps>;
}

/** What a configuration package is made of. */
export const TransferSections: ExtensionPoint<TransferSection> = extensionPoint("transfer-sections", {
  accept: validateWith(
    Joi.object({
      id: Joi.string()
        .pattern(/^[a-z][a-z0-9_]{0,39}$/, "a name in snake_case")
        .required(),
      title: Joi.object({ en: Joi.string().required(), zh: Joi.string().required() }).required(),
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
