import type { AppError, Localized } from "@parley/core";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { describeArgumentError } from "../argument-error.ts";
import { toolsTexts } from "../texts.ts";

const MAX_BYTES = 65_536;
const MAX_DEPTH = 16;
const PARAMETERS_FIELD = { field: "parameters" } as const;

/** Returns the reason why arguments are invalid; undefined where they are valid. */
export type ArgumentCheck = (args: unknown) => Localized | undefined;

export interface ParameterSchemas {
  /** Compiles a schema; throws `bad_request` if it cannot be used. */
  check(schema: object): ArgumentCheck;
}

/** Loads the library for JSON Schema, which services without custom tools do not need. */
export async function loadParameterSchemas(): Promise<ParameterSchemas> {
  const { Ajv2020: Ajv } = await import("ajv/dist/2020.js");
  const ajv = new Ajv({ strict: false, allErrors: false, inlineRefs: false, logger: false, validateFormats: false });
  return { check: (schema) => compileCheck(ajv, schema) };
}

function compileCheck(ajv: Ajv2020, schema: object): ArgumentCheck {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES) throw createSchemaError("schema_large");
  if ((schema as { readonly type?: unknown }).type !== "object") throw createSchemaError("schema_type");
  const plain = sanitizeSchema(schema, 0) as object;
  try {
    const validate = ajv.compile(plain);
    ajv.removeSchema(plain);
    return (args) => {
      return validate(args) ? undefined : describeArgumentError(validate.errors?.[0]);
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message.slice(0, 300) : "it cannot be read";
    throw toolsTexts.error("bad_request", "schema_unreadable", { problem }, PARAMETERS_FIELD);
  }
}

/**
 * Returns the schema for validation: local, of limited depth, and without regular expressions, which could block the
 * event loop. Models are shown the original schema.
 */
function sanitizeSchema(part: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH * 2)
    throw toolsTexts.error("bad_request", "schema_deep", { most: MAX_DEPTH }, PARAMETERS_FIELD);
  if (Array.isArray(part)) return part.map((one) => sanitizeSchema(one, depth + 1));
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).flatMap(([key, value]): [string, unknown][] => {
    if (key === "$ref" && !(typeof value === "string" && value.startsWith("#"))) throw createSchemaError("schema_ref");
    if (key === "patternProperties") throw createSchemaError("schema_patterns");
    if (key === "$schema" || key === "$id" || (key === "pattern" && typeof value === "string")) return [];
    return [[key, sanitizeSchema(value, depth + 1)]];
  });
  return Object.fromEntries(entries);
}

function createSchemaError(key: "schema_large" | "schema_type" | "schema_ref" | "schema_patterns"): AppError {
  return toolsTexts.error("bad_request", key, {}, PARAMETERS_FIELD);
}
