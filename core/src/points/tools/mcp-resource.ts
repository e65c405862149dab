import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";
import { TOOL_SCOPES, type ToolScope } from "./tool.ts";

/** A resource that MCP clients can read. */
export interface McpResource {
  /** `svc://gateway/status`; unique. */
  readonly uri: string;
  readonly name: string;
  /** Localized name for people; absent: `name` is shown. */
  readonly help?: Localized;
  readonly mimeType: string;
  readonly scope: ToolScope;
  read(signal: AbortSignal): Promise<string | Uint8Array>;
}

/** Resources that MCP clients can read besides tool results. */
export const McpResources: ExtensionPoint<McpResource> = extensionPoint("mcp-resources", {
  accept: validateWith(
    Joi.object({
      uri: wordSchema.required(),
      name: Joi.string().required(),
      help: localizedSchema,
      mimeType: Joi.string().required(),
      scope: Joi.valid(...TOOL_SCOPES).required(),
      read: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "MCP resource", names: ({ uri }) => [uri] },
  ends: ["read"],
});
