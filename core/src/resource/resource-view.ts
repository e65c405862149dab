import type { Schema } from "@hapi/joi";
import type { JsonObject } from "../json/index.ts";
import { jsonSchemaOf } from "../json/json-schema.ts";
import type { Localized } from "../localized.ts";
import type { Scope } from "../services/operations/accounts.ts";
import type { ResourceCall, ResourceVerb } from "./declaration.ts";
import { type FieldLabel, labelOf } from "./field-schemas.ts";
import type { Resource } from "./resource.ts";

/** JSON description of a resource for its page. */
export interface ResourceView {
  readonly kind: string;
  readonly path: string;
  readonly param: string;
  readonly title: { readonly one: Localized; readonly many: Localized };
  readonly about: Localized;
  readonly verbs: readonly ResourceVerb[];
  readonly scopes: { readonly read: Scope; readonly change: Scope };
  readonly columns: readonly ResourceColumn[];
  readonly filters: readonly ResourceColumn[];
  /** True when lists accept `q`. */
  readonly search: boolean;
  /** Values of `sort`, without the `-` for descending; the first is the default order and may have the `-`. */
  readonly sort: readonly string[];
  /** JSON Schema (2020-12) of a creation; each property has its label as `x-parley`. */
  readonly form: ResourceForm;
  /** Form of a change: without the fields that are set only on creation. */
  readonly edit: ResourceForm;
  readonly actions: readonly ResourceCallView[];
  /** Extra fields of the creation answer, shown only once: a secret. */
  readonly created: readonly ResourceColumn[];
}

/** A column of a resource's table. */
export interface ResourceColumn {
  readonly field: string;
  readonly title: Localized;
  readonly type: "text" | "number" | "switch" | "choice" | "tags" | "time" | "json";
  /** Options of a choice or of a list of words. */
  readonly options?: readonly { readonly value: string; readonly title: Localized }[];
}

/** JSON Schema of an object whose properties have `x-parley: FieldLabel`. */
export type ResourceForm = Readonly<Record<string, unknown>> & {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** An additional action of a resource as the console shows it. */
export interface ResourceCallView extends Omit<ResourceCall, "body" | "scope"> {
  readonly scope: Scope;
  readonly form?: ResourceForm;
}

const COMMON_TITLES: Readonly<Record<string, Localized>> = {
  created_at: { en: "Created", zh: "创建时间" },
  updated_at: { en: "Changed", zh: "修改时间" },
};

/** Returns the description of a resource for its page. */
export function toResourceView(one: Resource): ResourceView {
  const { kind, path, param, title, about, verbs, scopes, search, sort, fixed, actions } = one;
  const schemas: Readonly<Record<string, Schema>> = { ...(one.fields as Record<string, Schema>), ...one.derived };
  return {
    kind,
    path,
    param,
    title,
    about,
    verbs,
    scopes: { read: scopes.read ?? "read", change: scopes.change ?? "write" },
    columns: one.columns.map((field) => toColumn(field, schemas[field])),
    filters: one.filters.map((field) => toColumn(field, schemas[field])),
    search: search.length > 0,
    sort,
    // An id without a label is not chosen by people; it exists for imported records, which bring theirs.
    form: omitProperties(toResourceForm(one.draft), one.chosenId && !labelOf(one.chosenId) ? ["id"] : []),
    edit: omitProperties(toResourceForm(one.patch), fixed),
    created: Object.entries(one.created).map(([field, schema]) => toColumn(field, schema)),
    actions: actions.map(({ body, ...action }) => ({
      ...action,
      scope: action.scope ?? scopes.change ?? "write",
      ...(body && { form: toResourceForm(body) }),
    })),
  };
}

/** Returns the JSON Schema of an object, each property with its label. */
export function toResourceForm(schema: Schema): ResourceForm {
  return addLabels(jsonSchemaOf(schema), schema) as ResourceForm;
}

function addLabels(json: object, schema: Schema): object {
  const terms = (schema as unknown as { readonly $_terms: { readonly keys?: readonly SchemaKey[] } }).$_terms;
  const properties = (json as { readonly properties?: Readonly<Record<string, object>> }).properties ?? {};
  const keys = new Map((terms.keys ?? []).map(({ key, schema: field }) => [key, field]));
  const entries = Object.entries(properties).map(([name, property]) => {
    const field = keys.get(name);
    if (!field) return [name, property];
    const label = labelOf(field);
    const format = isTime(field) && { format: "date-time" };
    return [name, { ...addLabels(property, field), ...format, ...(label && { "x-parley": label }) }];
  });
  return entries.length === 0 ? json : { ...json, properties: Object.fromEntries(entries) };
}

interface SchemaKey {
  readonly key: string;
  readonly schema: Schema;
}

function omitProperties(form: ResourceForm, names: readonly string[]): ResourceForm {
  const properties = Object.entries(form.properties).filter(([name]) => !names.includes(name));
  return { ...form, properties: Object.fromEntries(properties) };
}

function toColumn(field: string, schema: Schema | undefined): ResourceColumn {
  const common = COMMON_TITLES[field];
  if (common || !schema) return { field, title: common ?? { en: field, zh: field }, type: "time" };
  const label = labelOf(schema);
  const json = jsonSchemaOf(schema) as JsonObject;
  const choices = readChoices(json);
  const values = choices ?? readChoices((json.items ?? {}) as JsonObject);
  return {
    field,
    title: label?.title ?? { en: field, zh: field },
    type: choices ? "choice" : toColumnType(json, schema),
    ...(values && { options: values.map((value) => ({ value, title: optionTitle(label, value) })) }),
  };
}

function readChoices({ enum: values }: JsonObject): readonly string[] | undefined {
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
  return texts.length > 0 ? texts : undefined;
}

function optionTitle(label: FieldLabel | undefined, value: string): Localized {
  return label?.options?.[value] ?? { en: value, zh: value };
}

function toColumnType({ type }: JsonObject, schema: Schema): ResourceColumn["type"] {
  const types = [type].flat();
  if (types.includes("boolean")) return "switch";
  if (types.includes("number") || types.includes("integer")) return "number";
  if (types.includes("array")) return "tags";
  if (types.includes("object")) return "json";
  return isTime(schema) ? "time" : "text";
}

function isTime(schema: Schema): boolean {
  const { metas = [], rules = [] } = schema.describe() as {
    readonly metas?: readonly { readonly format?: string }[];
    readonly rules?: readonly { readonly name: string }[];
  };
  return metas.some(({ format }) => format === "date-time") || rules.some(({ name }) => name === "isoDate");
}
