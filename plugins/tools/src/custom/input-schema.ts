import { jsonSchemaOf, type KnownTool } from "@parley/core";

/** What a tool takes, as JSON Schema. */
export function toInputSchema({ args, inputSchema }: KnownTool): Readonly<Record<string, unknown>> {
  return (inputSchema ?? jsonSchemaOf(args)) as Readonly<Record<string, unknown>>;
}
