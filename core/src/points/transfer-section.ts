import Joi, { type Schema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import type { Localized } from "../resource/field-schemas.ts";
import type { Caller } from "../services/accounts.ts";
import type { Write } from "../services/database.ts";
import { anySchema, runs, shaped } from "../shape.ts";

/** Who imports, and what becomes of what is there already under the same id: it stays, or it becomes as the package says. */
export interface TransferContext {
  readonly caller: Caller;
  readonly mode: "skip" | "overwrite";
}

/** One row of what an import would do. */
export interface TransferItem {
  readonly id: string;
  readonly name: string;
  readonly action: "create" | "update" | "skip";
  /** Of an update: fields that become others. Never their values. */
  readonly changed_fields: readonly string[];
  /** Why something is left out that would have come in. */
  readonly why?: string;
}

/** What an import would do; making it changes nothing. */
export interface TransferPlan {
  readonly items: readonly TransferItem[];
  /** Environment variables that what comes in relies on. */
  readonly variables: readonly string[];
}

/** What an import does. */
export interface TransferSteps {
  /** On `Databases.main`, in one transaction with those of all other sections. */
  readonly writes?: readonly Write[];
  /** Runs after them: what is kept in files, or has to be opened. Gives what did not work. */
  run?(): Promise<readonly TransferFailure[]>;
}

export interface TransferFailure {
  readonly id: string;
  readonly error: string;
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
  /** `bad_request` for what could not be applied whatever is done. `part` is valid by the schema. */
  plan(part: Part, context: TransferContext): Promise<TransferPlan>;
  apply(part: Part, plan: TransferPlan, context: TransferContext): Promise<TransferSteps>;
}

/** What a configuration package is made of. */
export const TransferSections: ExtensionPoint<TransferSection> = extensionPoint("transfer-sections", {
  accept: shaped(
    Joi.object({
      id: Joi.string()
        .pattern(/^[a-z][a-z0-9_]{0,39}$/, "a name in snake_case")
        .required(),
      title: Joi.object({ en: Joi.string().required(), zh: Joi.string().required() }).required(),
      schema: anySchema.required(),
      export: runs.required(),
      plan: runs.required(),
      apply: runs.required(),
    }).unknown(),
  ),
  unique: { kind: "transfer section", names: ({ id }) => [id] },
});
