import Joi from "@hapi/joi";
import { type RouteTable, route } from "@parley/core";
import { listQuery } from "@parley/core/http";
import { connectionTestData, manualCallData, serverToolList } from "../response-schemas.ts";
import { acceptBody, mcpServers } from "./servers/entry.ts";
import type { Servers } from "./servers/servers.ts";
import type { CallToolManually, ManualCall } from "./tools/manual-calls.ts";

const serverPath = "/api/mcp-servers/{server_id}";
const admin = { scope: "admin" } as const;

const manualCall = Joi.object<ManualCall>({
  tool: Joi.string().max(200).required(),
  arguments: Joi.object().unknown().default({}),
  confirm: Joi.boolean().strict().default(false),
});

export function createServerRoutes(servers: Servers, callManually: CallToolManually): RouteTable {
  return [
    route({
      method: "POST",
      path: `${serverPath}/connect`,
      summary: "connect an MCP server",
      data: mcpServers.item,
      ...admin,
      timeoutMs: false,
      run: ({ params }) => servers.connect(params.server_id),
    }),
    route({
      method: "POST",
      path: `${serverPath}/disconnect`,
      summary: "disconnect an MCP server",
      data: mcpServers.item,
      ...admin,
      run: ({ params }) => servers.disconnect(params.server_id),
    }),
    route({
      method: "POST",
      path: `${serverPath}/test`,
      summary: "test the connection to an MCP server",
      data: connectionTestData,
      ...admin,
      timeoutMs: false,
      run: ({ params }) => servers.test(params.server_id),
    }),
    route({
      method: "GET",
      path: `${serverPath}/tools`,
      summary: "list the tools of a connected MCP server",
      data: serverToolList,
      query: listQuery(),
      run: ({ params, query }) => servers.tools(params.server_id, query),
    }),
    route({
      method: "POST",
      path: `${serverPath}/accept-tools`,
      summary: "accept the current tools of an MCP server",
      data: mcpServers.item,
      ...admin,
      body: acceptBody,
      run: ({ params, body }) => servers.acceptTools(params.server_id, body.tools),
    }),
    route({
      method: "POST",
      path: `${serverPath}/call`,
      summary: "call a tool of an MCP server manually",
      data: manualCallData,
      ...admin,
      body: manualCall,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => callManually(params.server_id, body, caller, signal),
    }),
  ];
}
