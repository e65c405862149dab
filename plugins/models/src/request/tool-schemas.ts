import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { isObject } from "@parley/core/json";

/** JSON schema of a tool. Providers accept only some forms of it. */
type Schema = Readonly<Record<string, unknown>>;

/** Property names that every provider accepts. */
const PORTABLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const SINGLE_KEYWORDS = [
  "items",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "not",
  "if",
  "then",
  "else",
];
const LIST_KEYWORDS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const MAP_KEYWORDS = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];
/** Keywords that providers reject at the top level of a schema. */
const FORBIDDEN_AT_TOP = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else", "$ref", "nullable"];

/** A tool in a form that every provider accepts, and the function that restores its arguments. */
export interface PortableTool {
  readonly tool: LanguageModelV4FunctionTool;
  /** Restores the original property names; absent when none was changed. */
  readonly restore?: (args: unknown) => unknown;
}

/** Converts the schema of a tool: property names, top-level keywords, and forms of older drafts. */
export function toPortableTool(tool: LanguageModelV4FunctionTool): PortableTool {
  const given = isObject(tool.inputSchema) ? tool.inputSchema : {};
  const names = toPortableNames(given);
  const schema = toTopObject(toCurrentDraft(given), given);
  const inputSchema = renameProperties(schema, names) as LanguageModelV4FunctionTool["inputSchema"];
  return {
    tool: { ...tool, inputSchema },
    ...(names.size > 0 && { restore: (args: unknown) => restoreNames(args, [given], { root: given, names }) }),
  };
}

/** Returns a unique portable name for each property, at any depth, whose own name is not portable. */
function toPortableNames(root: Schema): ReadonlyMap<string, string> {
  const all = listPropertyNames(root);
  const taken = new Set(all);
  const names = new Map<string, string>();
  for (const name of all) {
    if (PORTABLE_NAME.test(name)) continue;
    const base = name
      .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
      .replace(/^(?![A-Za-z_])/, "_")
      .slice(0, 60);
    let free = base;
    for (let count = 2; taken.has(free); count += 1) free = `${base}_${count}`;
    taken.add(free);
    names.set(name, free);
  }
  return names;
}

function listPropertyNames(schema: unknown): Set<string> {
  const own = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return new Set([...own, ...listChildSchemas(schema).flatMap((one) => [...listPropertyNames(one)])]);
}

function listChildSchemas(schema: unknown): readonly unknown[] {
  if (!isObject(schema)) return [];
  const lists = [...LIST_KEYWORDS, "items"].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
  const named = MAP_KEYWORDS.flatMap((key) => (isObject(schema[key]) ? Object.values(schema[key]) : []));
  return [...SINGLE_KEYWORDS.map((key) => schema[key]).filter(isObject), ...lists, ...named];
}

/** Returns the schema with `change` applied to each schema in it, inner ones first. */
function mapSchema(schema: unknown, change: (schema: Record<string, unknown>) => unknown): unknown {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (Array.isArray(value) && (LIST_KEYWORDS.includes(key) || key === "items")) {
      return [key, value.map((one) => mapSchema(one, change))];
    }
    if (MAP_KEYWORDS.includes(key) && isObject(value)) {
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapSchema(one, change)]))];
    }
    return [key, SINGLE_KEYWORDS.includes(key) ? mapSchema(value, change) : value];
  });
  return change(Object.fromEntries(entries));
}

function renameProperties(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  const nameOf = (name: string) => names.get(name) ?? name;
  const keys = (value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [nameOf(name), one])) : value;
  return mapSchema(schema, ({ ...one }) => {
    for (const key of ["properties", "dependentSchemas", "dependentRequired"])
      if (key in one) one[key] = keys(one[key]);
    if (Array.isArray(one.required)) one.required = one.required.map(nameOf);
    return one;
  });
}

/** Converts keywords of drafts before 2020-12, and adds missing `items`. */
function toCurrentDraft(schema: Schema): Schema {
  return mapSchema(schema, ({ ...one }) => {
    if (isObject(one.properties)) {
      const sound = Object.entries(one.properties).filter(([, value]) => value !== false);
      one.properties = Object.fromEntries(sound.map(([name, value]) => [name, value === true ? {} : value]));
    }
    if ("required" in one && !Array.isArray(one.required)) delete one.required;
    if (Array.isArray(one.items)) {
      one.prefixItems = one.items;
      delete one.items;
    }
    if (one.type === "array" && !("items" in one)) one.items = {};
    for (const [old, limit] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const) {
      if (typeof one[old] !== "boolean") continue;
      if (one[old] && typeof one[limit] === "number") one[old] = one[limit];
      else delete one[old];
      if (typeof one[old] === "number") delete one[limit];
    }
    return one;
  }) as Schema;
}

/** Returns the schema as one object with all properties: alternatives at its top level are merged. */
function toTopObject(schema: Schema, root: Schema): Schema {
  const { properties, required } = flattenSchema(schema, root, new Set());
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !FORBIDDEN_AT_TOP.includes(key)));
  const names = required.filter((name) => Object.hasOwn(properties, name));
  return {
    ...rest,
    type: "object",
    properties,
    ...("required" in rest || names.length > 0 ? { required: names } : {}),
  };
}

interface FlatSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

function flattenSchema(schema: unknown, root: Schema, seen: ReadonlySet<unknown>): FlatSchema {
  if (!isObject(schema) || seen.has(schema)) return { properties: {}, required: [] };
  const within = new Set([...seen, schema]);
  const fold = (one: unknown) => flattenSchema(one, root, within);
  const listOf = (key: string) => (Array.isArray(schema[key]) ? schema[key] : []).map(fold);
  const own = {
    properties: isObject(schema.properties) ? schema.properties : {},
    required: Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [],
  };
  const all = [own, fold(resolveRef(schema, root)), ...listOf("allOf")];
  const alternatives = [listOf("anyOf"), listOf("oneOf"), [fold(schema.then), fold(schema.else)]];
  const shared = alternatives.flatMap(([first, ...others]) =>
    (first?.required ?? []).filter((name) => others.every(({ required }) => required.includes(name))),
  );
  return {
    properties: mergeProperties([...all, ...alternatives.flat()].map(({ properties }) => properties)),
    required: [...new Set([...all.flatMap(({ required }) => required), ...shared])],
  };
}

function mergeProperties(all: readonly FlatSchema["properties"][]): FlatSchema["properties"] {
  const found = new Map<string, unknown[]>();
  for (const [name, schema] of all.flatMap((one) => Object.entries(one))) {
    const known = found.get(name) ?? [];
    const isKnown = known.some((one) => JSON.stringify(one) === JSON.stringify(schema));
    found.set(name, isKnown ? known : [...known, schema]);
  }
  return Object.fromEntries([...found].map(([name, kinds]) => [name, kinds.length > 1 ? { anyOf: kinds } : kinds[0]]));
}

/** Returns the schema that a reference within the document points to. */
function resolveRef({ $ref }: Schema, root: Schema): unknown {
  if (typeof $ref !== "string" || !$ref.startsWith("#/")) return undefined;
  const steps = $ref
    .slice(2)
    .split("/")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), root);
}

interface RenameContext {
  readonly root: Schema;
  readonly names: ReadonlyMap<string, string>;
}

/** Returns the arguments with their original names, where one of `schemas` has a property of that name. */
function restoreNames(value: unknown, schemas: readonly unknown[], context: RenameContext): unknown {
  const all = findReachable(schemas, context.root);
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: one, prefixItems = [] }) => [one, prefixItems].flat());
    return value.map((one) => restoreNames(one, items, context));
  }
  if (!isObject(value)) return value;
  const declared = all.map(({ properties }) => properties).filter(isObject);
  const own = new Map(
    declared.flatMap((properties) => Object.keys(properties)).map((name) => [context.names.get(name) ?? name, name]),
  );
  const others = all.flatMap(({ additionalProperties, patternProperties }) => [
    additionalProperties,
    ...(isObject(patternProperties) ? Object.values(patternProperties) : []),
  ]);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const name = own.get(key) ?? key;
      const inner = declared
        .filter((properties) => Object.hasOwn(properties, name))
        .map((properties) => properties[name]);
      return [name, restoreNames(one, inner.length > 0 ? inner : others, context)];
    }),
  );
}

/** Returns the schemas and all schemas that they refer to or combine. */
function findReachable(schemas: readonly unknown[], root: Schema): readonly Schema[] {
  const found = new Set<Schema>();
  const visit = (schema: unknown) => {
    if (!isObject(schema) || found.has(schema)) return;
    found.add(schema);
    visit(resolveRef(schema, root));
    for (const key of LIST_KEYWORDS.slice(0, 3)) if (Array.isArray(schema[key])) schema[key].forEach(visit);
    for (const key of ["if", "then", "else"]) visit(schema[key]);
  };
  schemas.forEach(visit);
  return [...found];
}
