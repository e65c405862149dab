import type { DeclaredLabel } from "@parley/core";
import { isJsonObject, toJsonObject } from "../json-object.ts";

/** One property of a JSON Schema, as far as a form can show it; anything else is written as JSON. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  /** The localized label in the form; default is the one from its package. */
  readonly label?: string;
  /** The label from its package. */
  readonly "x-parley"?: DeclaredLabel;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
  readonly const?: unknown;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

/** JSON Schema of the object that a form fills in. */
export interface FormSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** Returns a schema of the service or a plugin; one without fields for an invalid value. */
export function toFormSchema(schema: unknown): FormSchema {
  return isFormSchema(schema) ? schema : {};
}

/** Returns the schema with only the fields that `isShown` accepts. */
export function selectFields(
  { properties = {}, ...rest }: FormSchema,
  isShown: (key: string, field: FieldSchema) => boolean,
): FormSchema {
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([key, field]) => isShown(key, field))),
  };
}

function isFormSchema(schema: unknown): schema is FormSchema {
  return isJsonObject(schema) && Object.values(toJsonObject(schema.properties)).every(isJsonObject);
}
