import Joi from "@hapi/joi";
import { clampPage, listQuery, type Page, type RouteTable, route } from "@parley/core";
import type { History, LogQuery } from "./mcp-tools-history.ts";

const logQuery = listQuery<LogQuery & Page>({
  source: Joi.string().valid("gateway", "mcp", "web"),
  type: Joi.string().max(64),
  level: Joi.string().valid("debug", "info", "warning", "error"),
  status: Joi.string().max(64),
  tool_name: Joi.string().max(64),
  trace_id: Joi.string().max(128),
  channel_id: Joi.string().max(64),
  since: Joi.string().isoDate(),
  until: Joi.string().isoDate(),
  q: Joi.string().max(200),
}).keys({ limit: Joi.number().integer().min(1).default(100) });

/** The unified log: what the gateway did with messages, and what tools did. */
export function logRoutes(history: History): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/gateway/logs",
      summary: "events of messages and calls of tools as one list",
      query: logQuery,
      async run({ query }) {
        const { limit, offset } = clampPage(query);
        const { items, total } = await history.logs({ ...query, limit, offset });
        return { items, count: items.length, total, limit, offset };
      },
    }),
  ];
}
