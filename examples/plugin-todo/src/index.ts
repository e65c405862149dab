import {
  addResource,
  area,
  ConsoleAreas,
  definePlugin,
  derivedId,
  Joi,
  LiveEvents,
  RecordStore,
  type Resolver,
  resource,
  resourceChanged,
  SettingDefinitions,
  Settings,
  setting,
  stage,
  Tools,
  type Turn,
  TurnStages,
  textOf,
  tool,
  withEffects,
  withLabel,
} from "@parley/core";

const todos = resource<{ readonly name: string; readonly done: boolean }>({
  kind: "todo",
  path: "/api/todos",
  param: "todo_id",
  idPrefix: "todo",
  title: { one: { en: "to-do", zh: "待办" }, many: { en: "To-dos", zh: "待办事项" } },
  about: { en: "Write 'todo: milk' in a chat, and it is here.", zh: "在聊天中发送“todo: 牛奶”即可添加。" },
  fields: {
    name: withLabel(textOf(200).trim().min(1).required(), { title: { en: "What", zh: "内容" } }),
    done: withLabel(Joi.boolean().default(false), { title: { en: "Done", zh: "已完成" } }),
  },
  filters: ["done"],
});
const WORD_SETTING = setting<string>({
  key: "todo.word",
  schema: Joi.string().trim().min(1).max(20).default("todo:"),
  group: "answering",
  title: { en: "Word that begins a to-do", zh: "待办事项的开头词" },
});
const view = { kind: "resource", resource: "todo" } as const;
const TODO_AREA = area({ id: "todos", group: "chat", title: todos.title.many, icon: "task", view });

/** Provides a to-do list that chat messages add to. */
export default definePlugin({
  id: "todo",
  requires: [RecordStore, Settings, LiveEvents],
  register(context) {
    addResource(context, todos);
    context.contribute(SettingDefinitions, () => WORD_SETTING);
    context.contribute(ConsoleAreas, () => TODO_AREA);
    context.contribute(Tools, (from) =>
      tool({
        name: "open_todos",
        purpose: "Lists what is still to be done.",
        args: Joi.object({}),
        scope: "gateway.read",
        risk: "read",
        audience: ["ai", "mcp"],
        run: () => from.get(RecordStore).of(todos).page({ done: false, limit: 50, offset: 0 }),
      }),
    );
    context.contribute(TurnStages, (from) => stage({ id: "todo.note", phase: "context", run: createTodoStage(from) }));
  },
});

// Stored in the same transaction as the answer, under an id derived from the turn, so that a repeated turn adds nothing twice.
const createTodoStage = (from: Resolver) => async (turn: Turn) => {
  const word = from.get(Settings).get(WORD_SETTING);
  const name = turn.text.slice(word.length).trim().slice(0, 200);
  if (name === "" || !turn.text.toLowerCase().startsWith(word.toLowerCase())) return turn;
  const id = derivedId(todos.idPrefix, turn.traceId);
  const { writes } = await from.get(RecordStore).of(todos).creating({ name, done: false }, { id });
  const applied = () => from.get(LiveEvents).publish(resourceChanged(todos.kind, id, "created", 1));
  return withEffects(turn, { writes, applied });
};
