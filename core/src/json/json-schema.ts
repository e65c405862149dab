import type { NamingOptions } from "../http/response-schemas.ts";

/** The JSON Schema (2020-12) of what a joi schema takes; with `naming` named shapes are put there and referred to. */
export function jsonSchemaOf(schema: object, naming: NamingOptions = {}): object {
  const standard = (schema as { "~standard"?: { jsonSchema?: { input(options: object): object } } })["~standard"];
  return standard?.jsonSchema?.input({ target: "draft-2020-12", ...naming }) ?? {};
}
