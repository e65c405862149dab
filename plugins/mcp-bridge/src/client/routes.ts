import Joi from "@hapi/joi";
import { listQuery, type RouteTable, route } from "@parley/core";
import { calledTool, toolList, trialData } from "../answers.ts";
import { acceptBody, mcpServers } from "./entry.ts";
import type { CallByHand, HandCall } from "./hand-calls.ts";
import type { Servers } from "./servers.ts";

const one = "/api/mcp-servers/{server_id}";
const admin = { scope: "admin" } as const;

const handCall = Joi.object<HandCall>({
  tool: Joi.string().max(200).required(),
  arguments: Joi.object().unknown().default({}),
  confirm: Joi.boolean().strict().default(false),
});

export function serverRoutes(servers: Servers, callByHand: CallByHand): RouteTable {
  return [
    route({
      method: "POST",
      path: `${one}/connect`,
      summary: "connect an MCP server",
      data: mcpServers.item,
      ...admin,
      timeoutMs: false,
      run: ({ params }) => servers.connect(params.server_id),
    }),
    route({
      method: "POST",
      path: `${one}/disconnect`,
      summary: "disconnect an MCP server",
      data: mcpServers.item,
      ...admin,
      run: ({ params }) => servers.disconnect(params.server_id),
    }),
    route({
      method: "POST",
      path: `${one}/test`,
      summary: "try an MCP server with a connection of its own",
      data: trialData,
      ...admin,
      timeoutMs: false,
      run: ({ params }) => servers.test(params.server_id),
    }),
    route({
      method: "GET",
      path: `${one}/tools`,
      summary: "the tools of a connected MCP server",
      data: toolList,
      query: listQuery(),
      run: ({ params, query }) => servers.tools(params.server_id, query),
    }),
    route({
      method: "POST",
      path: `${one}/accept-tools`,
      summary: "take the tools of an MCP server as they are now",
      data: mcpServers.item,
      ...admin,
      body: acceptBody,
      run: ({ params, body }) => servers.acceptTools(params.server_id, body.tools),
    }),
    route({
      method: "POST",
      path: `${one}/call`,
      summary: "call a tool of an MCP server by hand",
      data: calledTool,
      ...admin,
      body: handCall,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => callByHand(params.server_id, body, caller, signal),
    }),
  ];
}
