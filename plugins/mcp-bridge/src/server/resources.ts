import {
  type Localized,
  type McpResource,
  notFound,
  type ToolCaller,
  type ToolContext,
  type ToolGuard,
} from "@parley/core";
import { checkScope, isGranted, type ToolPolicy } from "../guard/tool-policy.ts";
import type { McpSettings } from "../settings.ts";

/** The tool that provides each resource; reading a resource passes the same guard. */
const TOOL_BY_RESOURCE: Readonly<Record<string, readonly [tool: string, name: string, help: Localized]>> = {
  "svc://gateway/status": ["gateway_get_status", "How the gateway is", { en: "State of the gateway", zh: "网关状态" }],
  "svc://gateway/stats": [
    "gateway_get_stats",
    "What the gateway has done",
    { en: "Statistics of the gateway", zh: "网关统计" },
  ],
  "svc://gateway/queue/stats": ["gateway_get_queue_stats", "What waits", { en: "Waiting messages", zh: "等待的内容" }],
  "svc://gateway/nodes": ["gateway_list_nodes", "The nodes", { en: "Nodes", zh: "节点" }],
};
const JSON_TYPE = "application/json";
const CAPABILITIES_URI = "svc://gateway/capabilities";
const CAPABILITIES = {
  uri: CAPABILITIES_URI,
  name: "What may be called",
  help: { en: "Callable tools and resources", zh: "可调用的内容" },
  mimeType: JSON_TYPE,
  scope: "gateway.read",
} as const;

/** Resources for MCP clients. */
export interface Resources {
  list(): readonly OfferedResource[];
  /** Reads a resource; `not_found` for another address, `permission_denied` without its scope. */
  read(uri: string, caller: ToolCaller, context: ToolContext): Promise<ReadResource>;
}

export type OfferedResource = Pick<McpResource, "uri" | "name" | "help" | "mimeType" | "scope">;

export type ReadResource = { readonly mimeType: string } & ({ readonly text: string } | { readonly blob: string });

export interface ResourcesDeps {
  readonly guard: ToolGuard;
  readonly policy: ToolPolicy;
  readonly settings: McpSettings;
  /** Returns the resources of other plugins. */
  readonly contributed: () => readonly McpResource[];
}

export function createResources({ guard, policy, settings, contributed }: ResourcesDeps): Resources {
  /** Returns the resources whose tool is available. */
  const listOffered = () => {
    const tools = new Map(guard.list("mcp").map((tool) => [tool.name, tool]));
    return Object.entries(TOOL_BY_RESOURCE).flatMap(([uri, [toolName, name, help]]) => {
      const tool = tools.get(toolName);
      return tool ? [{ uri, name, help, tool }] : [];
    });
  };
  const list = (): readonly OfferedResource[] => [
    ...listOffered().map(({ uri, name, help, tool: { scope } }) => ({ uri, name, help, mimeType: JSON_TYPE, scope })),
    CAPABILITIES,
    ...contributed().map(({ uri, name, help, mimeType, scope }) => ({
      uri,
      name,
      ...(help && { help }),
      mimeType,
      scope,
    })),
  ];
  const capabilities = ({ granted }: ToolCaller) => ({
    tools: guard.list("mcp").map(({ name }) => name),
    callable: guard
      .callable("mcp")
      .filter((tool) => isGranted(tool, granted))
      .map(({ name }) => name),
    resources: list().map(({ uri }) => uri),
    scopes: granted?.includes("admin") === false ? granted.filter((scope) => policy.covers({ scope })) : policy.scopes,
    switches: {
      send_message_enabled: settings.send_message_enabled,
      register_node_enabled: settings.register_node_enabled,
      submit_task_enabled: settings.submit_task_enabled,
    },
  });
  return {
    list,
    async read(uri, caller, context) {
      if (uri === CAPABILITIES_URI) return { mimeType: JSON_TYPE, text: JSON.stringify(capabilities(caller)) };
      const found = listOffered().find((one) => one.uri === uri);
      if (found) {
        return { mimeType: JSON_TYPE, text: JSON.stringify(await guard.call(found.tool.name, {}, caller, context)) };
      }
      const other = contributed().find((one) => one.uri === uri);
      if (!other) throw notFound("resource", uri);
      checkScope(other, policy, caller);
      const { mimeType } = other;
      const content = await other.read(context.signal);
      if (typeof content === "string") return { mimeType, text: content };
      return { mimeType, blob: Buffer.from(content).toString("base64") };
    },
  };
}
