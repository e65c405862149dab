import { jsonSchemaOf, type KnownTool } from "@parley/core";

/** Returns the arguments of a tool as JSON Schema. */
export function toInputSchema({ args, inputSchema }: KnownTool): Readonly<Record<string, unknown>> {
  return (inputSchema ?? jsonSchemaOf(args)) as Readonly<Record<string, unknown>>;
}
