import Joi from "@hapi/joi";
import {
  type Database,
  derivedId,
  type LiveEvents,
  notFound,
  type RecordPart,
  stage,
  type Tool,
  type ToolContext,
  type TurnStage,
  textOf,
  tool,
  type Write,
  withEffects,
} from "@parley/core";
import { toolsTexts } from "../texts.ts";

const MAX_TODOS = 50;
const MAX_OPEN_TURNS = 500;

export interface Todo {
  readonly id: number;
  readonly text: string;
  readonly done: boolean;
}

export interface TodoTables {
  readonly session_todos: { readonly session_id: string; readonly todos: string };
}

export interface TodosDeps {
  readonly database: () => Database;
  readonly events: LiveEvents;
}

/** The AI's todo list of each session: shown while it works, and stored with the reply. */
export interface Todos {
  readonly tools: readonly Tool[];
  readonly stages: readonly TurnStage[];
  readonly sessionPart: RecordPart;
  /** Returns the todos stored with the last reply. */
  getStored(sessionId: string): Promise<readonly Todo[]>;
}

export function createTodos({ database, events }: TodosDeps): Todos {
  /** Lists that unfinished turns have changed, by trace. */
  const open = new Map<string, { readonly sessionId: string; readonly todos: readonly Todo[] }>();
  const tables = () => database().tables<TodoTables>();
  const readStored = async (sessionId: string): Promise<readonly Todo[]> => {
    const query = tables().selectFrom("session_todos").select("todos").where("session_id", "=", sessionId);
    const [row] = await database().lookup<{ readonly todos: string }>(query);
    return row ? JSON.parse(row.todos) : [];
  };
  const storeWrite = (sessionId: string, todos: readonly Todo[]): Write => {
    const row = { session_id: sessionId, todos: JSON.stringify(todos) };
    const query = tables()
      .insertInto("session_todos")
      .values(row)
      .onConflict((conflict) => conflict.column("session_id").doUpdateSet({ todos: row.todos }));
    return { query };
  };
  const publishTodos = (traceId: string, session_id: string, todos: readonly Todo[], is_complete: boolean) =>
    events.publish({
      type: "todo_card",
      session_id,
      durable: false,
      payload: {
        id: derivedId("card", traceId, "todos"),
        parent_message_id: derivedId("msg", traceId, "reply"),
        todos,
        is_complete,
      },
    });
  const getSessionId = ({ sessionId }: ToolContext): string => {
    if (sessionId === undefined) throw toolsTexts.error("unavailable", "todos_elsewhere");
    return sessionId;
  };
  const read = async (context: ToolContext) =>
    open.get(context.traceId)?.todos ?? (await readStored(getSessionId(context)));
  const change = async (context: ToolContext, next: (todos: readonly Todo[]) => readonly Todo[]) => {
    const sessionId = getSessionId(context);
    const todos = next(await read(context));
    if (context.inbound) {
      // Stored with the end of its turn; nothing is stored for a turn that never ends.
      const [oldest] = open.keys();
      if (open.size >= MAX_OPEN_TURNS && oldest !== undefined) open.delete(oldest);
      open.set(context.traceId, { sessionId, todos });
    } else await database().write([storeWrite(sessionId, todos)]);
    publishTodos(context.traceId, sessionId, todos, !context.inbound);
    return { todos };
  };

  // The tools change only what the turn commits at its end, so a repeated turn calls them again.
  const shared = { scope: "gateway.read", risk: "read", audience: ["ai"], group: "conversation" } as const;
  const which = Joi.object({ id: Joi.number().integer().min(1).required() });
  const checkExists = (todos: readonly Todo[], id: number) => {
    if (!todos.some((one) => one.id === id)) throw notFound("todo", String(id));
  };
  return {
    getStored: readStored,
    tools: [
      tool<{ readonly text: string }>({
        ...shared,
        name: "todo_add",
        help: { en: "Adds an item to the conversation's to-do list.", zh: "在本会话的待办列表中添加一项。" },
        purpose: "Adds items to your to-do list of this conversation, which people see while you work.",
        args: Joi.object({ text: textOf(500).trim().min(1).disallow("").required() }),
        run: ({ text }, context) =>
          change(context, (todos) => {
            if (todos.length >= MAX_TODOS) throw toolsTexts.error("conflict", "todos_full", { most: MAX_TODOS });
            return [...todos, { id: Math.max(0, ...todos.map(({ id }) => id)) + 1, text, done: false }];
          }),
      }),
      tool({
        ...shared,
        name: "todo_list",
        help: { en: "Lists the conversation's to-dos.", zh: "查看本会话的待办列表。" },
        purpose: "Returns your to-do list of this conversation.",
        args: Joi.object({}),
        run: async (_, context) => ({ todos: await read(context) }),
      }),
      tool<{ readonly id: number }>({
        ...shared,
        name: "todo_complete",
        help: { en: "Marks a to-do as done.", zh: "将待办标记为完成。" },
        purpose: "Marks one of the list as done.",
        args: which,
        run: ({ id }, context) =>
          change(context, (todos) => {
            checkExists(todos, id);
            return todos.map((one) => (one.id === id ? { ...one, done: true } : one));
          }),
      }),
      tool<{ readonly id: number }>({
        ...shared,
        name: "todo_delete",
        help: { en: "Deletes a to-do.", zh: "删除一项待办。" },
        purpose: "Removes an item from your to-do list.",
        args: which,
        run: ({ id }, context) =>
          change(context, (todos) => {
            checkExists(todos, id);
            return todos.filter((one) => one.id !== id);
          }),
      }),
      tool({
        ...shared,
        name: "todo_clear",
        help: { en: "Clears the to-do list.", zh: "清空待办列表。" },
        purpose: "Empties the list.",
        args: Joi.object({}),
        run: (_, context) => change(context, () => []),
      }),
    ],
    stages: [
      stage({
        id: "tools.todos-begin",
        phase: "prepare",
        concerns: ({ traceId }) => open.has(traceId),
        async run(turn) {
          open.delete(turn.traceId);
          return turn;
        },
      }),
      stage({
        id: "tools.todos",
        phase: "after",
        concerns: ({ traceId }) => open.has(traceId),
        async run(turn) {
          const changed = open.get(turn.traceId);
          if (!changed) return turn;
          open.delete(turn.traceId);
          const { sessionId, todos } = changed;
          const applied = () => publishTodos(turn.traceId, sessionId, todos, true);
          return withEffects(turn, { writes: [storeWrite(sessionId, todos)], applied });
        },
        async unanswered(turn) {
          open.delete(turn.traceId);
          return [];
        },
      }),
    ],
    sessionPart: {
      id: "tools.todos",
      of: "session",
      removed: async (id) => [{ query: tables().deleteFrom("session_todos").where("session_id", "=", id) }],
      copied: async ({ from, to }) => [storeWrite(to, await readStored(from))],
    },
  };
}
