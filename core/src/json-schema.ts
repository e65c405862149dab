/** The JSON Schema (2020-12) of what a joi schema takes. */
export function jsonSchemaOf(schema: object): object {
  const standard = (schema as { "~standard"?: { jsonSchema?: { input(options: object): object } } })["~standard"];
  return standard?.jsonSchema?.input({ target: "draft-2020-12" }) ?? {};
}
