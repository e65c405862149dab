import { type RouteTable, route, type Sessions } from "@parley/core";
import { answerFields, shape, toggleBody, toggledData } from "@parley/core/http";
import type { Todo, Todos } from "./built-in/todos.ts";
import { type ToolTrialDeps, tryTool } from "./custom/tool-trial.ts";
import { TOOL_SECRETS, type ToolTrialRequest, toolTrialBody, toolTrialData } from "./schema.ts";
import type { ToolList } from "./tool-list.ts";

const basePath = "/api/tools";

/** Creates the routes besides CRUD of tools. */
export function createToolRoutes(list: ToolList, trial: ToolTrialDeps): RouteTable {
  return [
    route({
      method: "POST",
      path: `${basePath}/{tool_id}/toggle`,
      summary: "switch a tool on or off, including built-in tools",
      scope: "admin",
      body: toggleBody,
      data: toggledData,
      run: ({ params, body }) => list.toggle(params.tool_id, body.enabled),
    }),
    route<"/api/tools/try", ToolTrialRequest>({
      method: "POST",
      path: `${basePath}/try`,
      summary: "test a stored or unsaved tool; returns the request and the answer",
      scope: "admin",
      body: toolTrialBody,
      data: toolTrialData,
      maxBytes: 512 * 1024,
      timeoutMs: false,
      run: ({ body, signal }) =>
        tryTool(TOOL_SECRETS.unmasked(body, trial.custom.find(body.tool_id ?? "")), trial, signal),
    }),
  ];
}

const todo = shape<Todo>({ id: answerFields.count, text: answerFields.text, done: answerFields.flag }, "Todo");
const todosData = shape({ todos: answerFields.listOf(todo) }, "Todos");

/** Routes of todos, for a page opened after they were published. */
export function createTodoRoutes(todos: Todos, sessions: () => Pick<Sessions, "get">): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/sessions/{session_id}/todos",
      summary: "get the AI's to-do list of a session, as stored with the last answer",
      data: todosData,
      run: async ({ params }) => ({ todos: await todos.getStored((await sessions().get(params.session_id)).id) }),
    }),
  ];
}
