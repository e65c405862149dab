import type { FieldLabel, FieldWidget, Localized, ResourceForm } from "@parley/core";
import { isDeepEqual } from "../../shared/is-deep-equal.ts";
import { type JsonObject, toJsonObject } from "../../shared/json-object.ts";

type InputKind = "number" | "switch" | "choice" | "choices" | "time";
export type FieldKind = FieldWidget | NonNullable<FieldLabel["record"]> | InputKind;

/** One field of a form, as it is drawn. */
export interface FormField {
  readonly name: string;
  readonly title: Localized;
  readonly help?: Localized | undefined;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** Empty is null; else an empty field is left out. */
  readonly isNullable: boolean;
  readonly fallback: unknown;
  readonly options: readonly { readonly value: string; readonly title: Localized }[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly isWhole: boolean;
}

export type Values = Readonly<Record<string, unknown>>;

/** A text longer than this has a field of several lines. */
const LONG_TEXT_LENGTH = 200;

/** The fields of a form, in the order of its schema. */
export function toFormFields(form: ResourceForm): readonly FormField[] {
  const required = Array.isArray(form.required) ? form.required : [];
  return Object.entries(form.properties).map(([name, property]) =>
    toFormField(name, property, required.includes(name)),
  );
}

function toFormField(name: string, property: JsonObject, isRequired: boolean): FormField {
  const label = property["x-parley"] as FieldLabel | undefined;
  const { schema, isNullable } = splitNullable(property);
  const items = toJsonObject(schema.items);
  const values = toOptions(schema) ?? toOptions(items) ?? [];
  return {
    name,
    title: label?.title ?? { en: name, zh: name },
    help: label?.help,
    kind: label?.record ?? label?.widget ?? toFieldKind(schema, items),
    isRequired: isRequired && property.default === undefined,
    isNullable,
    fallback: property.default,
    options: values.map((value) => ({ value, title: label?.options?.[value] ?? { en: value, zh: value } })),
    ...readLimits(schema),
    isWhole: toTypes(schema).includes("integer"),
  };
}

function toFieldKind(schema: JsonObject, items: JsonObject): FieldKind {
  if (toOptions(schema)) return "choice";
  const types = toTypes(schema);
  if (types.includes("boolean")) return "switch";
  if (types.includes("number") || types.includes("integer")) return "number";
  if (types.includes("array"))
    return toOptions(items) ? "choices" : toTypes(items).includes("string") ? "tags" : "json";
  if (types.includes("object")) return "json";
  if (schema.format === "date-time") return "time";
  // An address is one line, however long.
  if (schema.format === "uri") return "text";
  return Number(schema.maxLength ?? 0) > LONG_TEXT_LENGTH ? "textarea" : "text";
}

/** Returns the initial values of a form: those of the record, or the defaults of a new one. */
export function initialValues(fields: readonly FormField[], record: Values | undefined): Values {
  return Object.fromEntries(fields.map(({ name, fallback }) => [name, record ? record[name] : fallback]));
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

function splitNullable(property: JsonObject): { readonly schema: JsonObject; readonly isNullable: boolean } {
  const choices: readonly unknown[] | undefined = [property.anyOf, property.oneOf].find(Array.isArray);
  const branches = (choices ?? []).map(toJsonObject);
  const some = branches.filter((branch) => !isNullSchema(branch));
  const schema = choices && some.length === 1 ? { ...property, ...some[0] } : property;
  const isNullable =
    some.length < branches.length ||
    toTypes(property).includes("null") ||
    (Array.isArray(property.enum) && property.enum.includes(null));
  return { schema, isNullable };
}

function isNullSchema({ type, const: only, enum: values }: JsonObject): boolean {
  return type === "null" || only === null || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

function toTypes({ type }: JsonObject): readonly unknown[] {
  return [type].flat();
}

function toOptions({ enum: values }: JsonObject): readonly string[] | undefined {
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
  return texts.length > 0 ? texts : undefined;
}

function readLimits(schema: JsonObject): Pick<FormField, "minimum" | "maximum" | "maxLength"> {
  const { minimum, maximum, maxLength } = schema;
  return {
    ...(typeof minimum === "number" && { minimum }),
    ...(typeof maximum === "number" && { maximum }),
    ...(typeof maxLength === "number" && { maxLength }),
  };
}
