import { hasScope, type McpPrompt, type RouteTable, route, type Tool, type ToolGuard } from "@parley/core";
import type { ToolPolicy } from "../guard/tool-policy.ts";
import { serviceData } from "../response-schemas.ts";
import type { McpSettings } from "../settings.ts";
import { toInputSchema } from "./describe-tool.ts";
import type { OfferedResource, Resources } from "./resources.ts";

export interface ServiceRoutesDeps {
  readonly settings: McpSettings;
  readonly policy: ToolPolicy;
  readonly guard: ToolGuard;
  readonly resources: Resources;
  readonly prompts: () => readonly McpPrompt[];
  /** `mcp.stdio_enabled` */
  readonly isStdioEnabled: () => boolean;
}

/** Routes about the active configuration: addresses for clients, and the tools they may call. */
export function createServiceRoutes(deps: ServiceRoutesDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/mcp-service",
      summary: "get the addresses for MCP clients, and the tools they may call",
      data: serviceData,
      run: ({ caller }) => toServiceView(deps, hasScope(caller, "admin")),
    }),
  ];
}

function toServiceView(
  { settings, policy, guard, resources, prompts, isStdioEnabled }: ServiceRoutesDeps,
  isAdmin: boolean,
): object {
  const {
    enabled,
    transport,
    host,
    port,
    http_auth,
    allowed_hosts,
    admin,
    audit_enabled,
    allowed_commands,
    command_lines,
  } = settings;
  const isHttp = enabled && transport === "streamable-http";
  return {
    enabled,
    transport,
    address: isHttp ? `http://${host.includes(":") ? `[${host}]` : host}:${port}/mcp` : null,
    http_auth,
    allowed_hosts,
    admin,
    audit_enabled,
    scopes: policy.scopes,
    switches: {
      send_message_enabled: settings.send_message_enabled,
      register_node_enabled: settings.register_node_enabled,
      submit_task_enabled: settings.submit_task_enabled,
      retry_require_confirmation: settings.retry_require_confirmation,
    },
    tools: guard.list("mcp").map((tool) => toToolView(tool, policy)),
    resources: resources.list().map((resource) => toResourceView(resource, policy)),
    prompts: prompts().map(toPromptView),
    client: {
      stdio_enabled: isStdioEnabled(),
      allowed_commands,
      // Only administrators get the command lines, which may be confidential.
      command_lines: isAdmin ? command_lines : [],
    },
  };
}

function toToolView(tool: Tool, policy: ToolPolicy): object {
  const { name, purpose, help, scope, enabledBy, risk, deletes } = tool;
  // In the order of the guard's checks.
  const rejected = policy.isSwitchedOn(tool) ? (policy.covers(tool) ? null : "scope") : "switch";
  return {
    name,
    description: purpose,
    help: help ?? null,
    parameters: toInputSchema(tool, policy.needsConfirm(tool)),
    scope,
    switch: enabledBy ?? null,
    risk,
    needs_confirm: policy.needsConfirm(tool),
    deletes: deletes === true,
    refused: rejected,
  };
}

function toPromptView({ name, description, help, arguments: args }: McpPrompt): object {
  const views = args.map((one) => ({ ...one, help: one.help ?? null }));
  return { name, description, help: help ?? null, arguments: views };
}

function toResourceView({ mimeType, help, ...resource }: OfferedResource, policy: ToolPolicy): object {
  const rejected = policy.covers(resource) ? null : "scope";
  return { ...resource, help: help ?? null, mime_type: mimeType, refused: rejected };
}
