import type { Resource } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type ToolCaller, type ToolContext, type ToolGuard } from "@parley/core";
import type { ToolPolicy } from "../guard/tool-policy.ts";
import type { McpSettings } from "../settings.ts";

/** Resource → the tool whose answer it is: reading one passes the same guard. */
const BY_TOOL: Readonly<Record<string, readonly [tool: string, name: string]>> = {
  "svc://gateway/status": ["gateway_get_status", "How the gateway is"],
  "svc://gateway/stats": ["gateway_get_stats", "What the gateway has done"],
  "svc://gateway/queue/stats": ["gateway_get_queue_stats", "What waits"],
  "svc://gateway/nodes": ["gateway_list_nodes", "The nodes"],
};
const CAPABILITIES = "svc://gateway/capabilities";

/** What clients may read (mcp §6). */
export interface Resources {
  list(): readonly Resource[];
  /** JSON; `not_found` for another address, else what the guard says. */
  read(uri: string, caller: ToolCaller, context: ToolContext): Promise<string>;
}

export interface ResourcesParts {
  readonly guard: ToolGuard;
  readonly policy: ToolPolicy;
  readonly settings: McpSettings;
}

export function createResources({ guard, policy, settings }: ResourcesParts): Resources {
  const offered = () => {
    const tools = new Set(guard.list("mcp").map(({ name }) => name));
    return Object.entries(BY_TOOL).filter(([, [tool]]) => tools.has(tool));
  };
  const list = () => [
    ...offered().map(([uri, [, name]]) => ({ uri, name, mimeType: "application/json" })),
    { uri: CAPABILITIES, name: "What may be called", mimeType: "application/json" },
  ];
  const capabilities = () => ({
    tools: guard.list("mcp").map(({ name }) => name),
    callable: guard.callable("mcp").map(({ name }) => name),
    resources: list().map(({ uri }) => uri),
    scopes: policy.scopes,
    switches: {
      send_message_enabled: settings.send_message_enabled,
      register_node_enabled: settings.register_node_enabled,
      submit_task_enabled: settings.submit_task_enabled,
    },
  });
  return {
    list,
    async read(uri, caller, context) {
      if (uri === CAPABILITIES) return JSON.stringify(capabilities());
      const [, found] = offered().find(([known]) => known === uri) ?? [];
      if (!found) throw new AppError("not_found", `resource '${uri}' does not exist`);
      return JSON.stringify(await guard.call(found[0], {}, caller, context));
    },
  };
}
