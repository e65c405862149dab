import { findById, MAX_LIMIT_QUERY, parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";
import { readWholeList } from "../../shared/api/list-pages.ts";

export type McpServer = Shapes["McpServer"];
export type McpTransport = McpServer["transport"];
/** The editable fields of a server. */
export type McpServerFields = Pick<
  McpServer,
  | "name"
  | "transport"
  | "description"
  | "auto_connect"
  | "url"
  | "headers_env"
  | "command"
  | "args"
  | "env"
  | "env_names"
  | "timeout_s"
>;
/** Secrets by variable; null deletes the stored one. */
interface SecretValues {
  readonly secrets?: Readonly<Record<string, string | null>>;
}
interface NewServer extends Partial<McpServerFields>, SecretValues {
  readonly id: string;
  readonly name: string;
  readonly transport: McpTransport;
  readonly enabled?: boolean;
}
/** Lists of allowed, denied, confirmed and trusted tools. */
export type ToolLists = Pick<McpServer, "tool_allow" | "tool_deny" | "confirm_tools" | "trusted_tools">;
export type McpTrial = Shapes["McpTrial"];
export type McpTool = Shapes["McpTool"];
/** A tool of this service, as offered to MCP clients. */
export type OwnTool = Shapes["OwnTool"];
/** A resource that MCP clients may read. */
export type OwnResource = Shapes["OwnResource"];
/** A prompt that MCP clients may offer to their users. */
export type OwnPrompt = Shapes["OwnPrompt"];
export type McpService = Shapes["McpService"];
/** A command that the operator allows to start as configured. */
export type CommandLine = Shapes["CommandLine"];

/** A tool call in the audit log. */
export type AuditRow = Shapes["GatewayLog"];

interface AuditQuery extends Page {
  readonly q: string;
  readonly status: string;
  readonly since: string;
}

const SERVERS_PATH = "/api/mcp-servers";
const SERVER_PATH = `${SERVERS_PATH}/{server_id}` as const;

export const mcp = {
  list: () => readWholeList((page) => parley.get(SERVERS_PATH, { query: page })),
  create: (body: NewServer) => parley.post(SERVERS_PATH, { body }),
  update: (
    server_id: string,
    body: Partial<McpServerFields & ToolLists & SecretValues & { readonly enabled: boolean }>,
    ifMatch?: number,
  ) => parley.put(SERVER_PATH, { path: { server_id }, body, ifMatch }),
  /** Changes the tool lists of a server, starting from their current state, so that changes by others are preserved. */
  async changeLists(server_id: string, change: (lists: ToolLists) => Partial<ToolLists>) {
    const current: McpServer = findById(await mcp.list(), server_id);
    return mcp.update(server_id, change(current), current.revision);
  },
  remove: (server_id: string) => parley.delete(SERVER_PATH, { path: { server_id } }),
  connect: (server_id: string) => parley.post(`${SERVER_PATH}/connect`, { path: { server_id } }),
  disconnect: (server_id: string) => parley.post(`${SERVER_PATH}/disconnect`, { path: { server_id } }),
  test: (server_id: string) => parley.post(`${SERVER_PATH}/test`, { path: { server_id } }),
  signIn: (server_id: string) => parley.post(`${SERVER_PATH}/sign-in`, { path: { server_id }, body: {} }),
  signOut: (server_id: string) => parley.delete(`${SERVER_PATH}/sign-in`, { path: { server_id } }),
  listTools: (server_id: string) => parley.get(`${SERVER_PATH}/tools`, { path: { server_id }, query: MAX_LIMIT_QUERY }),
  /** Accepts all changed tools, or the given ones. */
  acceptTools: (server_id: string, tools?: readonly string[]) =>
    parley.post(`${SERVER_PATH}/accept-tools`, { path: { server_id }, body: tools ? { tools } : {} }),
  /** Calls a tool; one that may change something needs `confirm`. */
  call: (server_id: string, tool: string, args: Readonly<Record<string, unknown>>, confirm: boolean) =>
    parley.post(`${SERVER_PATH}/call`, { path: { server_id }, body: { tool, arguments: args, confirm } }),
  getService: () => parley.get("/api/mcp-service"),
  listCalls: ({ q, status, since, ...page }: AuditQuery) => {
    const definedQuery = { ...(q && { q }), ...(status && { status }), ...(since && { since }) };
    return parley.get("/api/gateway/logs", { query: { source: "mcp", ...page, ...definedQuery } });
  },
};

export type ToolAnswer = Awaited<ReturnType<typeof mcp.call>>;
