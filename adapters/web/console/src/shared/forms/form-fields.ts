import type { DeclaredLabel, FieldRecord, FieldWidget, Localized } from "@parley/core";
import { isDeepEqual } from "../is-deep-equal.ts";
import type { FieldSchema, FormSchema } from "./schema.ts";

type InputKind = "number" | "switch" | "choice" | "choices" | "time" | "address" | "group";
export type FieldKind = FieldWidget | FieldRecord | InputKind;

interface FieldOption {
  readonly value: unknown;
  /** The value as text, for controls. */
  readonly text: string;
  readonly title: Localized;
}

/** A form field, ready to render. */
export interface FormField {
  readonly name: string;
  readonly title: Localized;
  readonly help?: Localized | undefined;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** True when the field may be null; an empty text then means null. */
  readonly isNullable: boolean;
  readonly defaultValue: unknown;
  readonly options: readonly FieldOption[];
  /** The fields of a group: an object with known keys. */
  readonly fields: readonly FormField[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly isWhole: boolean;
}

export type Values = Readonly<Record<string, unknown>>;

/** Texts that may be longer get a multi-line field. */
const LONG_TEXT_LENGTH = 200;

/** Returns the fields of a form, in the order of its schema. */
export function toFormFields({ properties = {}, required = [] }: FormSchema): readonly FormField[] {
  return Object.entries(properties).map(([name, property]) => toFormField(name, property, required.includes(name)));
}

function toFormField(name: string, property: FieldSchema, isRequired: boolean): FormField {
  const { label, description, "x-parley": own } = property;
  const { schema, isNullable } = splitNullable(property);
  const { items = {}, minimum, maximum, maxLength } = schema;
  const title = label === undefined ? own?.title : { en: label, zh: label };
  return {
    name,
    title: title ?? { en: name, zh: name },
    help: own?.help ?? (description ? { en: description, zh: description } : undefined),
    kind: own?.record ?? own?.widget ?? toFieldKind(schema, items),
    isRequired: isRequired && property.default === undefined,
    isNullable,
    defaultValue: property.default,
    options: toOptions(schema.enum ?? items.enum, own),
    fields: toFormFields({ properties: schema.properties ?? {} }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(maxLength !== undefined && { maxLength }),
    isWhole: toTypes(schema).includes("integer"),
  };
}

function toFieldKind(schema: FieldSchema, items: FieldSchema): FieldKind {
  if (Object.keys(schema.properties ?? {}).length > 0) return "group";
  if (toScalars(schema.enum).length > 0) return "choice";
  const types = toTypes(schema);
  if (types.includes("boolean")) return "switch";
  if (types.includes("number") || types.includes("integer")) return "number";
  if (types.includes("array"))
    return toScalars(items.enum).length > 0 ? "choices" : toTypes(items).includes("string") ? "tags" : "json";
  if (types.includes("object") || types.includes("json")) return "json";
  if (schema.format === "date-time") return "time";
  // A URL has one line, however long.
  if (schema.format === "uri") return "address";
  return (schema.maxLength ?? 0) > LONG_TEXT_LENGTH ? "textarea" : "text";
}

function toOptions(values: FieldSchema["enum"], label: DeclaredLabel | undefined): readonly FieldOption[] {
  return toScalars(values).map((value) => {
    const text = String(value);
    return { value, text, title: label?.options?.[text] ?? { en: text, zh: text } };
  });
}

/** Returns the initial values of a form: those of the record, or the defaults of a new one. */
export function toInitialValues(fields: readonly FormField[], record: Values | undefined): Values {
  return Object.fromEntries(fields.map(({ name, defaultValue }) => [name, record ? record[name] : defaultValue]));
}

/** Returns the fields to send: the filled-in ones of a new record, the changed ones of an existing one. */
export function toPatch(fields: readonly FormField[], values: Values, record: Values | undefined): Values {
  const entries = fields.flatMap(({ name, isNullable, kind }): [string, unknown][] => {
    const value = values[name];
    const isEmpty = value === undefined || value === null || (value === "" && (isNullable || kind === "time"));
    if (record === undefined) return isEmpty ? [] : [[name, value]];
    const before = record[name];
    const now = isEmpty ? null : value;
    if (isDeepEqual(now, before ?? null)) return [];
    return [[name, now]];
  });
  return Object.fromEntries(entries);
}

function splitNullable(property: FieldSchema): { readonly schema: FieldSchema; readonly isNullable: boolean } {
  const choices = property.anyOf ?? property.oneOf;
  const branches = choices ?? [];
  const some = branches.filter((branch) => !isNullSchema(branch));
  const schema = choices && some.length === 1 ? { ...property, ...some[0] } : property;
  const isNullable =
    some.length < branches.length || toTypes(property).includes("null") || (property.enum?.includes(null) ?? false);
  return { schema, isNullable };
}

function isNullSchema({ type, const: only, enum: values }: FieldSchema): boolean {
  return type === "null" || only === null || (values?.length === 1 && values[0] === null);
}

function toTypes({ type = [] }: FieldSchema): readonly string[] {
  return typeof type === "string" ? [type] : type;
}

/** Returns the selectable values; `null` means that none is selected. */
function toScalars(values: FieldSchema["enum"]): readonly unknown[] {
  return (values ?? []).filter((value) => ["string", "number", "boolean"].includes(typeof value));
}
