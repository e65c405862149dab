import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import { commonFields, shape, without } from "../http/answers.ts";
import { listQuery, type Page } from "../http/list.ts";
import type { Common } from "../records.ts";
import { checkDeclaration, TIMES } from "./check-declaration.ts";
import { type ResourceDeclaration, VERBS } from "./declaration.ts";

/** A record as it is answered: its fields and what every record carries; `derived` beside them. */
export type ResourceItem<Fields extends object> = Common & Readonly<Fields>;
/** The fields of a record that change. */
export type ResourcePatch<Fields extends object> = Readonly<Partial<Fields>>;
/** The query of a list: its page, `q`, `sort`, and the filters. */
export type ResourceQuery = Page & {
  readonly q?: string;
  readonly sort?: string;
  readonly [filter: string]: unknown;
};

type Bare = "toldAs" | "readersOf" | "unique" | "most" | "chosenId" | "keepsUnknown" | "maxBytes";

/** A declaration with all that comes from it. */
export interface Resource<Fields extends object = Record<string, unknown>>
  extends Required<Omit<ResourceDeclaration<Fields>, Bare>>,
    Pick<ResourceDeclaration<Fields>, Bare> {
  /** The body of a creation. */
  readonly draft: ObjectSchema<Fields>;
  /** The body of a change: only what is sent changes. */
  readonly patch: ObjectSchema<ResourcePatch<Fields>>;
  /** What a record has where nothing was said, also one that was made before a field was there. */
  readonly defaults: Readonly<Partial<Fields>>;
  readonly listing: ObjectSchema<ResourceQuery>;
  /** One record as it is answered. */
  readonly item: ObjectSchema;
  /** One record as a list shows it. */
  readonly listed: ObjectSchema;
  /** The answer to a creation. */
  readonly made: ObjectSchema;
}

/** Makes a resource of its declaration; throws `bad_request` with its kind and the field that is wrong. */
export function resource<Fields extends object>(declared: ResourceDeclaration<Fields>): Resource<Fields> {
  checkDeclaration(declared as unknown as ResourceDeclaration<Record<string, unknown>>);
  const {
    fields,
    derived = {},
    created = {},
    removed = {},
    chosenId,
    filters = [],
    search = [],
    query = {},
    verbs = VERBS,
  } = declared;
  const { read = "read", change = "write" } = declared.scopes ?? {};
  const sort = declared.sort ?? ["name" in fields ? "name" : "-created_at"];
  const named = "name" in fields ? ["name"] : [];
  const own = fields as Readonly<Record<string, Schema>>;
  const secret = declared.secret ?? [];
  const detail = declared.detail ?? [];
  const open = (body: ObjectSchema) => (declared.keepsUnknown ? body.unknown() : body);
  const shown = { ...answered(omit(own, secret)), ...derived };
  const item = itemOf(declared.kind, shown);
  return {
    ...declared,
    derived,
    created,
    removed,
    secret,
    filters,
    search,
    query,
    verbs,
    sort,
    scopes: { read, change },
    fixed: declared.fixed ?? [],
    actions: declared.actions ?? [],
    detail,
    columns: declared.columns ?? [...new Set([...named, ...filters, "updated_at"])],
    draft: open(Joi.object({ ...(chosenId && { id: chosenId.optional() }), ...own })) as ObjectSchema<Fields>,
    patch: open(Joi.object(mapped(own, withoutDefault))) as ObjectSchema<ResourcePatch<Fields>>,
    defaults: Joi.object(mapped(own, (schema) => schema.optional())).validate({}).value,
    listing: listQuery<ResourceQuery>({
      ...(search.length > 0 && { q: Joi.string().allow("").max(200) }),
      ...mapped(pick(own, filters), filterOf),
      ...query,
      sort: Joi.string().valid(...sortsOf(sort)),
    }),
    item,
    listed: detail.length === 0 ? item : without(item, detail, `Listed${nameOfKind(declared.kind)}`),
    // A repeat of the request is told no secret.
    made:
      Object.keys(created).length === 0
        ? item
        : itemOf(`new_${declared.kind}`, { ...shown, ...mapped(created, (schema) => schema.allow(null)) }),
  };
}

function itemOf(kind: string, fields: Readonly<Record<string, Schema>>): ObjectSchema {
  const own = mapped(fields, (schema) => (presenceOf(schema) === "required" ? schema : schema.optional()));
  return shape({ id: Joi.string(), ...own, ...commonFields }, nameOfKind(kind));
}

/** `api_key` → `ApiKey` */
function nameOfKind(kind: string): string {
  return kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `name` can be turned round: `-name`. */
function sortsOf(sort: readonly string[]): readonly string[] {
  const names = sort.map((name) => name.replace(/^-/, ""));
  return [...new Set([...names, ...TIMES])].flatMap((name) => [name, `-${name}`]);
}

// To describe itself a schema checks its description: for all fields a tenth of a start.
const presenceOf = (schema: Schema): string | undefined => schema.$_getFlag("presence");

function answered(fields: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return mapped(fields, (schema) => (presenceOf(schema) === "optional" ? schema : withoutDefault(schema).required()));
}

function withoutDefault(schema: Schema): Schema {
  // Gives a copy without the flag; its types say that it gives nothing.
  return schema.optional().$_setFlag("default", undefined) as unknown as Schema;
}

/** A list narrowed by a list of words names one of them. */
function filterOf(schema: Schema): Schema {
  const bare = withoutDefault(schema);
  return bare.type === "array" ? Joi.string().max(200) : bare;
}

function mapped(
  fields: Readonly<Record<string, Schema>>,
  change: (schema: Schema, name: string) => Schema,
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, change(schema, name)]));
}

function pick(fields: Readonly<Record<string, Schema>>, names: readonly string[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function omit(fields: Readonly<Record<string, Schema>>, names: readonly string[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
