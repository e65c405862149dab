import { AppError } from "@parley/core";
import type { Ajv2020 } from "ajv/dist/2020.js";

const MAX_BYTES = 65_536;
const MAX_DEPTH = 16;

/** Why arguments do not fit; undefined: they do. */
export type ArgumentCheck = (args: unknown) => string | undefined;

export interface ParameterSchemas {
  /** `bad_request` for a schema that cannot be used. */
  check(schema: object): ArgumentCheck;
}

/** Loads the library that reads JSON Schema: services without tools of people's own do without it. */
export async function loadParameterSchemas(): Promise<ParameterSchemas> {
  const { Ajv2020: Ajv } = await import("ajv/dist/2020.js");
  const ajv = new Ajv({ strict: false, allErrors: false, inlineRefs: false, logger: false, validateFormats: false });
  return { check: (schema) => checkOf(ajv, schema) };
}

function checkOf(ajv: Ajv2020, schema: object): ArgumentCheck {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES) throw refused("is larger than 64 KiB");
  if ((schema as { readonly type?: unknown }).type !== "object") throw refused("must be a JSON Schema of type object");
  const plain = checkedPart(schema, 0) as object;
  try {
    const validate = ajv.compile(plain);
    ajv.removeSchema(plain);
    return (args) => {
      if (validate(args)) return undefined;
      const [problem] = validate.errors ?? [];
      const at = (problem?.instancePath ?? "").slice(1).replaceAll("/", ".");
      return `${at && `${at} `}${problem?.message ?? "does not fit"}`;
    };
  } catch (error) {
    throw refused(`is no JSON Schema: ${error instanceof Error ? error.message.slice(0, 300) : "it cannot be read"}`);
  }
}

/**
 * The schema as it is checked: local, not too deep, and without regular expressions, which would run on the event loop for as
 * long as somebody's argument makes them. Models are shown the schema as it was written.
 */
function checkedPart(part: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH * 2) throw refused(`is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(part)) return part.map((one) => checkedPart(one, depth + 1));
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).flatMap(([key, value]): [string, unknown][] => {
    if (key === "$ref" && !(typeof value === "string" && value.startsWith("#"))) throw refused("$ref: must be local");
    if (key === "patternProperties") throw refused("patternProperties: name the properties instead");
    if (key === "$schema" || key === "$id" || (key === "pattern" && typeof value === "string")) return [];
    return [[key, checkedPart(value, depth + 1)]];
  });
  return Object.fromEntries(entries);
}

function refused(problem: string): AppError {
  return new AppError("bad_request", `parameters: ${problem}`);
}
