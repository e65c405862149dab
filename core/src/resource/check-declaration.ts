import Joi from "@hapi/joi";
import { AppError } from "../errors.ts";
import { anySchemaProblem } from "../validation/joi-schemas.ts";
import { localizedSchema } from "../validation/localized-schema.ts";
import { type ResourceDeclaration, VERBS } from "./declaration.ts";
import { labelOf } from "./field-schemas.ts";

export const TIME_FIELDS = ["created_at", "updated_at"];
const COMMON_FIELDS = ["id", "revision", ...TIME_FIELDS];

const localized = localizedSchema;
const names = Joi.array().items(Joi.string());
const declarationSchema = Joi.object({
  toldAs: Joi.string(),
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
  secrets: Joi.object(),
  cached: Joi.valid(true),
  detail: names,
  keepsUnknown: Joi.valid(true),
  columns: names.min(1),
  unique: Joi.string(),
  scopes: Joi.object(),
  readersOf: Joi.function(),
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

/** Throws `bad_request` with the kind of a resource and the field that is wrong. */
export function checkDeclaration(declared: ResourceDeclaration<Record<string, unknown>>): void {
  const reject = (problem: string) => {
    throw new AppError("bad_request", `resource '${declared?.kind ?? "?"}': ${problem}`);
  };
  const { error } = declarationSchema.validate(declared, { convert: false });
  if (error) reject(error.message.replaceAll('"', "'"));
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
    if (problem) reject(`field '${name}' ${problem}`);
    if (COMMON_FIELDS.includes(name)) reject(`field '${name}': every record has it already`);
  }
  for (const [name, schema] of Object.entries(fields)) if (!labelOf(schema)) reject(`field '${name}' has no label`);
  const known = Object.keys(fields);
  const stripMinus = (name: string) => name.replace(/^-/, "");
  const check = (list: string, asked: readonly string[], allowed: readonly string[]) => {
    const unknown = asked.find((name) => !allowed.includes(name));
    if (unknown !== undefined) reject(`${list}: there is no field '${unknown}'`);
  };
  check("search", search, known);
  check("filters", filters, known);
  check("fixed", fixed, known);
  check("detail", declared.detail ?? [], known);
  check("secret", declared.secret ?? [], known);
  check("unique", declared.unique === undefined ? [] : [declared.unique], known);
  check("sort", sort.map(stripMinus), [...known, ...TIME_FIELDS]);
  check("columns", columns, [...known, ...Object.keys(derived), ...TIME_FIELDS]);
}
