import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import { listQuery, type Page } from "../http/list.ts";
import { commonFields, shape, without } from "../http/response-schemas.ts";
import type { Common } from "../records.ts";
import { checkDeclaration, TIME_FIELDS } from "./check-declaration.ts";
import { type ResourceDeclaration, VERBS } from "./declaration.ts";

/** A record as returned: its fields, the common ones and those of `derived`. */
export type ResourceItem<Fields extends object> = Common & Readonly<Fields>;
/** The changed fields of a record. */
export type ResourcePatch<Fields extends object> = Readonly<Partial<Fields>>;
/** The query of a list: its page, `q`, `sort`, and the filters. */
export type ResourceQuery = Page & {
  readonly q?: string;
  readonly sort?: string;
  readonly [filter: string]: unknown;
};

type OptionalKeys =
  | "toldAs"
  | "readersOf"
  | "unique"
  | "most"
  | "chosenId"
  | "keepsUnknown"
  | "maxBytes"
  | "secrets"
  | "cached";

/** A declaration with everything derived from it. */
export interface Resource<Fields extends object = Record<string, unknown>>
  extends Required<Omit<ResourceDeclaration<Fields>, OptionalKeys>>,
    Pick<ResourceDeclaration<Fields>, OptionalKeys> {
  /** Schema of a creation's body. */
  readonly draft: ObjectSchema<Fields>;
  /** Schema of a change; omitted fields stay as they are. */
  readonly patch: ObjectSchema<ResourcePatch<Fields>>;
  /** Values of fields that were not given, also for records older than the field. */
  readonly defaults: Readonly<Partial<Fields>>;
  readonly listing: ObjectSchema<ResourceQuery>;
  /** Schema of one record in an answer. */
  readonly item: ObjectSchema;
  /** Schema of one record in a list. */
  readonly listed: ObjectSchema;
  /** Schema of a creation's answer. */
  readonly made: ObjectSchema;
}

/** Creates a resource from its declaration; throws `bad_request` naming its kind and the invalid field. */
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
  const allowUnknown = (body: ObjectSchema) => (declared.keepsUnknown ? body.unknown() : body);
  const answerFields = { ...toAnswerFields(omit(own, secret)), ...derived };
  const item = createItemSchema(declared.kind, answerFields);
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
    draft: allowUnknown(Joi.object({ ...(chosenId && { id: chosenId.optional() }), ...own })) as ObjectSchema<Fields>,
    patch: allowUnknown(Joi.object(mapSchemas(own, removeDefault))) as ObjectSchema<ResourcePatch<Fields>>,
    defaults: Joi.object(mapSchemas(own, (schema) => schema.optional())).validate({}).value,
    listing: listQuery<ResourceQuery>({
      ...(search.length > 0 && { q: Joi.string().allow("").max(200) }),
      ...mapSchemas(pick(own, filters), toFilterSchema),
      ...query,
      sort: Joi.string().valid(...listSortOrders(sort)),
    }),
    item,
    listed: detail.length === 0 ? item : without(item, detail, `Listed${toShapeName(declared.kind)}`),
    // The answer to a repeated creation contains no secret.
    made:
      Object.keys(created).length === 0
        ? item
        : createItemSchema(`new_${declared.kind}`, {
            ...answerFields,
            ...mapSchemas(created, (schema) => schema.allow(null)),
          }),
  };
}

function createItemSchema(kind: string, fields: Readonly<Record<string, Schema>>): ObjectSchema {
  const own = mapSchemas(fields, (schema) => (readPresence(schema) === "required" ? schema : schema.optional()));
  return shape({ id: Joi.string(), ...own, ...commonFields }, toShapeName(kind));
}

/** `api_key` → `ApiKey` */
function toShapeName(kind: string): string {
  return kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Adds the descending form of each order: `-name`. */
function listSortOrders(sort: readonly string[]): readonly string[] {
  const names = sort.map((name) => name.replace(/^-/, ""));
  return [...new Set([...names, ...TIME_FIELDS])].flatMap((name) => [name, `-${name}`]);
}

// Reads the flag directly, because describing a schema takes a tenth of the start when done for all fields.
const readPresence = (schema: Schema): string | undefined => schema.$_getFlag("presence");

function toAnswerFields(fields: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return mapSchemas(fields, (schema) =>
    readPresence(schema) === "optional" ? schema : removeDefault(schema).required(),
  );
}

function removeDefault(schema: Schema): Schema {
  // Returns a copy without the flag, although its types say void.
  return schema.optional().$_setFlag("default", undefined) as unknown as Schema;
}

/** A list of words is filtered by one of its words. */
function toFilterSchema(schema: Schema): Schema {
  const bare = removeDefault(schema);
  return bare.type === "array" ? Joi.string().max(200) : bare;
}

function mapSchemas(
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
