import Joi from "@hapi/joi";
import { type RouteTable, route, toggledData } from "@parley/core";
import { type TryBody, tryBody, tryData } from "./schema.ts";
import type { ToolList } from "./tool-list.ts";
import { type TrialParts, tryTool } from "./trial.ts";

const base = "/api/tools";
const toggle = Joi.object<{ readonly enabled: boolean }>({ enabled: Joi.boolean().required() });

/** The rows besides those of the records. */
export function toolRoutes(list: ToolList, trial: TrialParts): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/{tool_id}/toggle`,
      summary: "switch a tool on or off, one that comes with the service too",
      scope: "admin",
      body: toggle,
      data: toggledData,
      run: ({ params, body }) => list.toggle(params.tool_id, body.enabled),
    }),
    route<"/api/tools/try", TryBody>({
      method: "POST",
      path: `${base}/try`,
      summary: "call a tool that is kept or not, and see the request and its answer",
      scope: "admin",
      body: tryBody,
      data: tryData,
      maxBytes: 512 * 1024,
      timeoutMs: false,
      run: ({ body, signal }) => tryTool(body, trial, signal),
    }),
  ];
}
