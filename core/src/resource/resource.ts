import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import { AppError } from "../errors.ts";
import { commonFields, shape, without } from "../http/answers.ts";
import { listQuery, type Page } from "../http/list.ts";
import type { Common } from "../records.ts";
import type { Scope } from "../services/accounts.ts";
import { anySchemaProblem } from "../shape.ts";
import { type Localized, labelOf } from "./field-schemas.ts";

/** What can be done with a resource by its rows. */
export type ResourceVerb = "list" | "get" | "create" | "update" | "remove";
const VERBS: readonly ResourceVerb[] = ["list", "get", "create", "update", "remove"];

/** Something else that can be done with a record, or with all of them: one button of the console, one row of the API. */
export interface ResourceCall {
  readonly id: string;
  readonly title: Localized;
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the resource's path: `{key_id}/test`, `clear`. With the path parameter it is done with one record. */
  readonly path: string;
  readonly scope?: Scope;
  /** Asked before it is done, because it cannot be taken back. */
  readonly confirm?: Localized;
  /** May be done with several records, one request each. */
  readonly bulk?: boolean;
  /** What is asked first; its fields are labelled. */
  readonly body?: ObjectSchema;
  /** What becomes of the answer: a short note, its data shown, or a file. Default `note`. */
  readonly answer?: "note" | "shown" | "download";
}

/** A kind of record, said once: rows, validation, storage and a page of the console come from it. */
export interface ResourceDeclaration<Fields extends object> {
  /** snake_case, as in `resource_changed` and in ids of the console: `api_key`. */
  readonly kind: string;
  /** `/api/api-keys` */
  readonly path: `/api/${string}`;
  /** The parameter of the path of one record: `key_id`. */
  readonly param: string;
  /** Of new ids: `key`. */
  readonly idPrefix: string;
  readonly title: { readonly one: Localized; readonly many: Localized };
  /** What these records are for; stands where there are none yet. */
  readonly about: Localized;
  /**
   * What people set: joi schemas, each labelled. `required()` must be sent to make a record; all but `optional()` stand
   * in every answer. `name` is what a record is called.
   */
  readonly fields: { readonly [Name in keyof Required<Fields>]: Schema };
  /** What answers carry beside the fields: nobody can set it, and what is sent back with a change is ignored. */
  readonly derived?: Readonly<Record<string, Schema>>;
  /** Whoever makes a record may choose its id, of this form; by itself it is a new one. */
  readonly chosenId?: Schema;
  /** Fields that only the answer about one record carries: lists leave them out. */
  readonly detail?: readonly (keyof Fields & string)[];
  /** True: what is sent under other names is no mistake; `records` is handed it as it is. */
  readonly keepsUnknown?: true;
  /** Fields that are taken and never answered. */
  readonly secret?: readonly (keyof Fields & string)[];
  /** What the answer to a creation carries once: a secret. */
  readonly created?: Readonly<Record<string, Schema>>;
  /** What the answer to a removal carries besides. */
  readonly removed?: Readonly<Record<string, Schema>>;
  /** Fields that `q` looks into, whatever the case. */
  readonly search?: readonly (keyof Fields & string)[];
  /** Fields that a list can be narrowed by: equal to the query's value, for lists of words: one of them. */
  readonly filters?: readonly (keyof Fields & string)[];
  /** Filters of a list that are no fields. Records that are kept elsewhere heed them. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Fields (and `created_at`, `updated_at`) that a list can be sorted by; the first is the order by itself, `-`: the last first. */
  readonly sort?: readonly string[];
  /** A field that no two records share, whatever the case. */
  readonly unique?: keyof Fields & string;
  /** Fields that are set when a record is made, and never after. */
  readonly fixed?: readonly (keyof Fields & string)[];
  /** How many there may be; default: as many as there is room for. */
  readonly most?: number;
  /** The largest body of a creation or a change, in bytes; default 2 MiB. */
  readonly maxBytes?: number;
  /** Default: all five. */
  readonly verbs?: readonly ResourceVerb[];
  /** Who may read and change; default `read` and `write`. */
  readonly scopes?: { readonly read?: Scope; readonly change?: Scope };
  /** What the page shows of a record in its table; default: name, filters, `updated_at`. */
  readonly columns?: readonly string[];
  readonly actions?: readonly ResourceCall[];
}

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

type Bare = "unique" | "most" | "chosenId" | "keepsUnknown" | "maxBytes";

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

const TIMES = ["created_at", "updated_at"];
const COMMON = ["id", "revision", ...TIMES];

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

const presenceOf = (schema: Schema): string | undefined =>
  (schema.describe().flags as { readonly presence?: string } | undefined)?.presence;

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

const localized = Joi.object({ en: Joi.string().required(), zh: Joi.string().required() });
const names = Joi.array().items(Joi.string());
const declaration = Joi.object({
  kind: Joi.string()
    .pattern(/^[a-z][a-z0-9_]{0,39}$/, "a name in snake_case")
    .required(),
  path: Joi.string()
    .pattern(/^\/api(\/[\w.-]+)+$/, "a path like /api/notes")
    .required(),
  param: Joi.string()
    .pattern(/^[a-z][a-z0-9_]*$/, "a name in snake_case")
    .required(),
  idPrefix: Joi.string()
    .pattern(/^[a-z]{1,12}$/, "1 to 12 small letters")
    .required(),
  title: Joi.object({ one: localized.required(), many: localized.required() }).required(),
  about: localized.required(),
  fields: Joi.object().min(1).required(),
  derived: Joi.object(),
  created: Joi.object(),
  removed: Joi.object(),
  chosenId: Joi.any(),
  query: Joi.object(),
  verbs: Joi.array().items(Joi.valid(...VERBS)),
  most: Joi.number().integer().positive(),
  maxBytes: Joi.number().integer().positive(),
  search: names,
  filters: names,
  sort: names.min(1),
  fixed: names,
  secret: names,
  detail: names,
  keepsUnknown: Joi.valid(true),
  columns: names.min(1),
  unique: Joi.string(),
  scopes: Joi.object(),
  actions: Joi.array().items(
    Joi.object({
      id: Joi.string().required(),
      title: localized.required(),
      method: Joi.valid("GET", "POST", "DELETE").required(),
      path: Joi.string().required(),
      scope: Joi.string(),
      confirm: localized,
      bulk: Joi.boolean(),
      body: Joi.any(),
      answer: Joi.valid("note", "shown", "download"),
    }),
  ),
});

function checkDeclaration(declared: ResourceDeclaration<Record<string, unknown>>): void {
  const refuse = (problem: string) => {
    throw new AppError("bad_request", `resource '${declared?.kind ?? "?"}': ${problem}`);
  };
  const { error } = declaration.validate(declared, { convert: false });
  if (error) refuse(error.message.replaceAll('"', "'"));
  const {
    fields,
    derived = {},
    created = {},
    search = [],
    filters = [],
    fixed = [],
    sort = [],
    columns = [],
  } = declared;
  for (const [name, schema] of Object.entries({ ...fields, ...derived, ...created })) {
    const problem = anySchemaProblem(schema);
    if (problem) refuse(`field '${name}' ${problem}`);
    if (COMMON.includes(name)) refuse(`field '${name}': every record has it already`);
  }
  for (const [name, schema] of Object.entries(fields)) if (!labelOf(schema)) refuse(`field '${name}' has no label`);
  const known = Object.keys(fields);
  const bare = (name: string) => name.replace(/^-/, "");
  const check = (list: string, asked: readonly string[], there: readonly string[]) => {
    const unknown = asked.find((name) => !there.includes(name));
    if (unknown !== undefined) refuse(`${list}: there is no field '${unknown}'`);
  };
  check("search", search, known);
  check("filters", filters, known);
  check("fixed", fixed, known);
  check("detail", declared.detail ?? [], known);
  check("secret", declared.secret ?? [], known);
  check("unique", declared.unique === undefined ? [] : [declared.unique], known);
  check("sort", sort.map(bare), [...known, ...TIMES]);
  check("columns", columns, [...known, ...Object.keys(derived), ...TIMES]);
}
