import Joi from "@hapi/joi";
import { messageText, type RouteTable, route } from "@parley/core";
import { listQuery } from "@parley/core/http";
import { agentChatData, agentToolList, manualCallData } from "../response-schemas.ts";
import type { ChatBody, ExecuteBody, ToolsQuery, WebAgent } from "./web-agent.ts";

const base = "/api/web-agent";

const toolsQuery = listQuery<ToolsQuery>({ permission: Joi.string().valid("read", "write") });
const executeBody = Joi.object<ExecuteBody>({
  tool: Joi.string().max(128).required(),
  arguments: Joi.object().unknown().default({}),
  confirm: Joi.boolean().default(false),
  confirm_id: Joi.string().max(64),
});
const chatBody = Joi.object<ChatBody>({
  message: Joi.string().trim().min(1).max(8000).required(),
  history: Joi.array()
    .items(
      Joi.object({
        role: Joi.string().valid("user", "assistant").required(),
        content: messageText().required(),
      }),
    )
    .max(40)
    .default([]),
  allow_write: Joi.boolean().default(false),
});

export function createWebAgentRoutes(agent: WebAgent): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/tools`,
      summary: "list the tools of the web agent",
      data: agentToolList,
      scope: "admin",
      query: toolsQuery,
      run: ({ query }) => agent.tools(query),
    }),
    route({
      method: "POST",
      path: `${base}/execute`,
      summary: "run a tool of the web agent",
      data: manualCallData,
      scope: "admin",
      body: executeBody,
      timeoutMs: false,
      run: ({ body, caller, signal }) => agent.execute(body, caller, signal),
    }),
    route({
      method: "POST",
      path: `${base}/chat`,
      summary: "ask the web agent",
      data: agentChatData,
      scope: "admin",
      body: chatBody,
      timeoutMs: false,
      run: ({ body, caller, signal }) => agent.chat(body, caller, signal),
    }),
  ];
}
