import {
  AppError,
  type ChosenModel,
  Clock,
  definePlugin,
  type Message,
  ModelCalls,
  Models,
  orderStages,
  type PromptSource,
  PromptSources,
  RecordStore,
  Redaction,
  runTurn,
  type ServiceKey,
  type Session,
  Sessions,
  type Tool,
  ToolGuard,
  type TraceEntry,
  type Turn,
  type TurnContext,
  type TurnEvent,
  TurnStages,
} from "@parley/core";
import {
  createTestClock,
  type ScriptedAnswer,
  type ScriptedQuestion,
  type StartedPlugins,
  scriptedCalls,
  scriptedModel,
  startPlugins,
  testContext,
  testTurn as turnOf,
} from "@parley/testing";
import plugin from "./index.ts";

export interface ChatOptions {
  readonly steps?: readonly ScriptedAnswer[];
  readonly parameters?: Partial<ChosenModel["parameters"]>;
  readonly tools?: readonly Tool[];
  readonly sources?: readonly PromptSource[];
  readonly protocol?: string;
  readonly config?: object;
  readonly customPrompt?: string;
  /** Ledger of the gateway's calls; in memory by default. */
  readonly once?: TurnContext["once"];
}

export interface StartedChat extends StartedPlugins {
  readonly calls: readonly ScriptedQuestion[];
  readonly events: readonly TurnEvent[];
  readonly traces: readonly TraceEntry[];
  readonly names: ReadonlyMap<string, string>;
  readonly chosenModels: readonly (string | null)[];
  readonly clock: ReturnType<typeof createTestClock>;
  readonly spoken: () => string;
  say(text: string, change?: Partial<Turn>, signal?: AbortSignal): Promise<Turn>;
}

/** Starts the plugin with a scripted model and in-memory services. */
export async function startChat(options: ChatOptions = {}): Promise<StartedChat> {
  const calls = scriptedCalls([...(options.steps ?? [])], options);
  const events: TurnEvent[] = [];
  const traces: TraceEntry[] = [];
  const names = new Map<string, string>();
  const chosenModels: (string | null)[] = [];
  const clock = createTestClock();
  const services: [ServiceKey<unknown>, unknown][] = [
    [Clock, clock],
    [Redaction, { mask: (value: unknown) => value, remember() {} }],
    [ToolGuard, createLooseGuard(options.tools ?? [])],
    [ModelCalls, calls],
    // Turns do not read saved prompts.
    [RecordStore, { of: () => ({}) }],
    [
      Models,
      {
        choose: async () => scriptedModel(options),
        find: async (name: string) => (name === "Big" ? { id: "model_big", name, purpose: "chat" } : undefined),
        listEnabled: async () => [{ id: "model_big", name: "Big", model: "big-1" }],
      },
    ],
    [
      Sessions,
      {
        customPrompt: async () => options.customPrompt ?? "",
        nameAutomatically: async (id: string, name: string) => void names.set(id, name),
        get: async () => createTestSession(),
        create: async ({ name = "New session" }) => ({ ...createTestSession(), id: "sess_new", name }),
        useModel: async (_: string, id: string | null) => void chosenModels.push(id),
      },
    ],
  ];
  const extras = definePlugin({
    id: "extras",
    register({ contribute }) {
      for (const source of options.sources ?? []) contribute(PromptSources, () => source);
    },
  });
  const config = { chat: options.config ?? { name_sessions: false } };
  const started = await startPlugins([plugin, extras], { services, config });
  const remembered = testContext();
  const context = (signal: AbortSignal): TurnContext => ({
    ...remembered,
    signal,
    emit: (event) => void events.push(event),
    trace: (entry) => void traces.push(entry),
    ...(options.once && { once: options.once }),
  });
  return {
    ...started,
    calls: calls.asked,
    events,
    traces,
    names,
    chosenModels,
    clock,
    spoken: () => events.map((event) => (event.type === "delta" ? event.text : "")).join(""),
    say: (text, change = {}, signal = new AbortController().signal) =>
      runTurn(
        { ...createTestTurn(text), ...change },
        { stages: orderStages(started.all(TurnStages)), context: context(signal) },
      ),
  };
}

/** Creates a guard that allows everything except confirmations. */
function createLooseGuard(tools: readonly Tool[]): ToolGuard {
  return {
    known: () => tools,
    list: () => tools,
    callable: () => tools,
    async call(name, given, _caller, context) {
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new AppError("not_found", `tool '${name}' does not exist`);
      if (tool.risk === "high") throw new AppError("confirmation_required", `${name} needs confirm: true`);
      const { value, error } = tool.args.validate(given);
      if (error) throw new AppError("bad_request", error.message);
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      context.signal.addEventListener("abort", () => reject(context.signal.reason), { once: true });
      return Promise.race([tool.run(value, context), aborted]);
    },
  };
}

export function createTestSession(change: Partial<Session> = {}): Session {
  return {
    id: "sess_1",
    key: "web:sess_1",
    name: "New session",
    type: "web",
    channel_id: "web",
    session_mode: "character",
    system_prompt: "",
    character_id: null,
    sender_name: "Mia",
    scenario: "",
    model_id: null,
    disabled_prompt_keys: [],
    ...change,
  } as Session;
}

export function createTestTurn(text: string): Turn {
  const turn = turnOf({ text, session: createTestSession(), history: [createMessage("user", text)] });
  return { ...turn, capabilities: { ...turn.capabilities, supports_tools: true } };
}

export function createMessage(role: "user" | "assistant", content: string, kind: Message["kind"] = "normal"): Message {
  return { role, kind, content, sender: role === "user" ? "Ann" : "Mia", attachments: [] } as unknown as Message;
}
