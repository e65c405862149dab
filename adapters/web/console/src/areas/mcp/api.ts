import { api, type Listed, query } from "../../shared/api/client.ts";

export type McpTransport = "stdio" | "streamable-http";

/** What a person sets of another server. */
export interface McpServerFields {
  readonly name: string;
  readonly transport: McpTransport;
  readonly description: string;
  readonly auto_connect: boolean;
  readonly url: string;
  /** Header → name of the variable with its value. */
  readonly headers_env: Readonly<Record<string, string>>;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly env_names: readonly string[];
  readonly timeout_s: number;
}

/** Which tools may be used, and for which a person is asked. */
export interface ToolLists {
  /** Empty: all. */
  readonly tool_allow: readonly string[];
  /** Wins. */
  readonly tool_deny: readonly string[];
  /** `*`: all. Wins over `trusted_tools`. */
  readonly confirm_tools: readonly string[];
  /** Called unasked although they may change something. */
  readonly trusted_tools: readonly string[];
}

export interface McpServer extends McpServerFields, ToolLists {
  readonly id: string;
  readonly enabled: boolean;
  readonly connected: boolean;
  readonly connecting: boolean;
  readonly tool_count: number;
  readonly server_info: ServerInfo | null;
  readonly last_connected_at: string | null;
  readonly last_error: string | null;
  readonly warnings: readonly string[];
  readonly builtin: boolean;
}

interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly protocol_version: string;
}

export interface McpTrial {
  readonly ok: boolean;
  readonly elapsed_ms: number;
  readonly server_info: ServerInfo | null;
  readonly tool_count: number;
  readonly error: string | null;
}

export interface McpTool {
  readonly name: string;
  /** In the model's list. */
  readonly full_name: string;
  readonly description: string;
  /** JSON Schema, as the server gave it. */
  readonly parameters: unknown;
  readonly enabled: boolean;
  /** Nobody has looked at it yet. */
  readonly is_new: boolean;
  readonly risk: "read" | "action" | "high";
  readonly first_description: string | null;
}

export interface ToolAnswer {
  readonly result: unknown;
  readonly duration_ms: number;
}

/** A tool of ours, as clients are offered it. */
export interface OwnTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly scope: string;
  readonly switch: string | null;
  readonly risk: McpTool["risk"];
  readonly needs_confirm: boolean;
  readonly deletes: boolean;
  /** What keeps it from being called now. */
  readonly refused: "switch" | "scope" | null;
}

/** What clients may read. */
export interface OwnResource {
  readonly uri: string;
  readonly name: string;
  readonly mime_type: string;
  readonly scope: string;
  readonly refused: "scope" | null;
}

/** A text that clients offer their people to begin with. */
export interface OwnPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export interface McpService {
  readonly enabled: boolean;
  readonly transport: McpTransport;
  readonly address: string | null;
  readonly http_auth: "required" | "off_on_loopback";
  readonly allowed_hosts: readonly string[];
  readonly admin: boolean;
  readonly audit_enabled: boolean;
  readonly scopes: readonly string[];
  readonly switches: Readonly<Record<string, boolean>>;
  readonly tools: readonly OwnTool[];
  readonly resources: readonly OwnResource[];
  readonly prompts: readonly OwnPrompt[];
  readonly client: {
    readonly stdio_enabled: boolean;
    readonly allowed_commands: readonly string[];
    readonly command_lines: readonly CommandLine[];
  };
}

/** What the operator lets be started as it stands. */
export interface CommandLine {
  readonly name: string;
  readonly words: readonly string[];
}

/** A tool call that waits for the word of a person. */
/** A tool call as the audit keeps it. */
export interface AuditRow {
  readonly id: string;
  readonly trace_id: string;
  readonly level: string;
  readonly status: string;
  readonly message: string;
  readonly tool_name: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly created_at: string;
  readonly metadata: {
    /** JSON, masked, perhaps cut. */
    readonly params?: string;
    readonly summary?: string;
    readonly high_risk?: boolean;
    readonly audience?: string;
    readonly transport?: string | null;
    readonly client?: string | null;
    readonly duration_ms?: number | null;
    readonly confirm_by?: string | null;
  };
}

interface AuditQuery {
  readonly q: string;
  readonly status: string;
  readonly since: string;
  readonly limit: number;
}

const path = "/api/mcp-servers";
const one = (id: string) => `${path}/${encodeURIComponent(id)}`;

export const mcp = {
  list: () => api.get<Listed<McpServer>>(`${path}?limit=500`),
  create: (draft: Partial<McpServerFields> & { readonly id: string }) => api.post<McpServer>(path, draft),
  update: (id: string, patch: Partial<McpServerFields & ToolLists & { readonly enabled: boolean }>) =>
    api.put<McpServer>(one(id), patch),
  remove: (id: string) => api.remove(one(id)),
  connect: (id: string) => api.post<McpServer>(`${one(id)}/connect`),
  disconnect: (id: string) => api.post<McpServer>(`${one(id)}/disconnect`),
  test: (id: string) => api.post<McpTrial>(`${one(id)}/test`),
  tools: (id: string) => api.get<Listed<McpTool>>(`${one(id)}/tools?limit=500`),
  /** All of them, or those that are named. */
  acceptTools: (id: string, tools?: readonly string[]) =>
    api.post<McpServer>(`${one(id)}/accept-tools`, tools ? { tools } : {}),
  /** `confirm`: although it may change something. */
  call: (id: string, tool: string, args: object, confirm: boolean) =>
    api.post<ToolAnswer>(`${one(id)}/call`, { tool, arguments: args, confirm }),
  service: () => api.get<McpService>("/api/mcp-service"),
  audit: (asked: AuditQuery) => api.get<Listed<AuditRow>>(`/api/gateway/logs?${query({ source: "mcp", ...asked })}`),
};
