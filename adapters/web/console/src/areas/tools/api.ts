import type { CallOptions } from "@parley/client";
import { findById, parley, type Shapes } from "../../shared/api/client.ts";
import { readWholeList } from "../../shared/api/list-pages.ts";

export type Tool = Shapes["Tool"];
export type ToolDraft = CallOptions<"post", "/api/tools">["body"];
export type ToolTrialRequest = CallOptions<"post", "/api/tools/try">["body"];
export type ToolTrialResult = Shapes["ToolTrial"];

const TOOL_PATH = "/api/tools/{tool_id}";

export const tools = {
  list: () => readWholeList((page) => parley.get("/api/tools", { query: page })),
  create: (body: ToolDraft) => parley.post("/api/tools", { body }),
  get: async (id: string) => findById(await tools.list(), id),
  update: (tool_id: string, body: ToolDraft, ifMatch: number | undefined) =>
    parley.put(TOOL_PATH, { path: { tool_id }, body, ifMatch }),
  remove: (tool_id: string) => parley.delete(TOOL_PATH, { path: { tool_id } }),
  setEnabled: (tool_id: string, enabled: boolean) =>
    parley.post(`${TOOL_PATH}/toggle`, { path: { tool_id }, body: { enabled } }),
  tryTool: (body: ToolTrialRequest) => parley.post("/api/tools/try", { body }),
};
