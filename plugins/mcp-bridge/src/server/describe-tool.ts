import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "@parley/core";
import type { ToolPolicy } from "../guard/tool-policy.ts";

const CONFIRM_SCHEMA = { const: true, description: "A person has agreed to this call." };

/** Describes a tool for MCP clients. */
export function describeTool(tool: Tool, policy: ToolPolicy): ListedTool {
  const { name, purpose, risk, scope, enabledBy, deletes } = tool;
  return {
    name,
    title: toTitle(name),
    description: purpose,
    inputSchema: toInputSchema(tool, policy.needsConfirm(tool)) as ListedTool["inputSchema"],
    annotations: {
      title: toTitle(name),
      readOnlyHint: risk === "read",
      ...(risk !== "read" && { destructiveHint: deletes === true }),
      openWorldHint: enabledBy === "send_message_enabled",
    },
    _meta: {
      "svc/scope": scope,
      "svc/switch": enabledBy ?? null,
      "svc/high_risk": risk === "high",
    },
  };
}

/** Returns the JSON Schema of a tool's arguments, with `confirm` where it is required. */
export function toInputSchema({ args, inputSchema }: Tool, needsConfirm: boolean): Readonly<Record<string, unknown>> {
  const schema = inputSchema ?? args["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  if (!needsConfirm) return { type: "object", ...schema };
  return {
    type: "object",
    ...schema,
    properties: { ...properties, confirm: CONFIRM_SCHEMA },
    required: [...required, "confirm"],
  };
}

function toTitle(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
