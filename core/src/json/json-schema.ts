import type { NamingOptions } from "../http/response-schemas.ts";

/** Returns the JSON Schema (2020-12) of a joi schema's input; with `naming`, named shapes are put into its map and referenced. */
export function jsonSchemaOf(schema: object, naming: NamingOptions = {}): object {
  const standard = (schema as { "~standard"?: { jsonSchema?: { input(options: object): object } } })["~standard"];
  return standard?.jsonSchema?.input({ target: "draft-2020-12", ...naming }) ?? {};
}
