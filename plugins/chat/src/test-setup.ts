import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import {
  AppError,
  type ChosenModel,
  Clock,
  definePlugin,
  type Message,
  type ModelFailure,
  Models,
  orderStages,
  type PromptSource,
  PromptSources,
  Redaction,
  runTurn,
  type ServiceKey,
  type Session,
  Sessions,
  TokenUsage,
  type Tool,
  ToolGuard,
  type TraceEntry,
  type Turn,
  type TurnContext,
  type TurnEvent,
  TurnStages,
  type UsageEntry,
} from "@parley/core";
import {
  createTestClock,
  type StartedPlugins,
  startPlugins,
  testContext,
  testTurn as turnOf,
} from "@parley/core/testing";
import plugin from "./index.ts";

/** What the scripted model does with one call. */
export type Step =
  | { readonly say: string; readonly thinking?: string; readonly finish?: "stop" | "length" }
  | { readonly call: string; readonly args?: unknown; readonly say?: string }
  | { readonly fail: ModelFailure["category"]; readonly say?: string; readonly retryAfterMs?: number }
  | { readonly hang: true; readonly say?: string };

export interface ChatOptions {
  readonly steps?: readonly Step[];
  readonly parameters?: Partial<ChosenModel["parameters"]>;
  readonly tools?: readonly Tool[];
  readonly sources?: readonly PromptSource[];
  readonly protocol?: string;
  readonly config?: object;
  readonly customPrompt?: string;
  /** The gateway's ledger of calls; in memory when left out. */
  readonly once?: TurnContext["once"];
}

export interface StartedChat extends StartedPlugins {
  readonly calls: readonly LanguageModelV4CallOptions[];
  readonly events: readonly TurnEvent[];
  readonly traces: readonly TraceEntry[];
  readonly usage: readonly UsageEntry[];
  readonly names: ReadonlyMap<string, string>;
  readonly chosenModels: readonly (string | null)[];
  readonly clock: ReturnType<typeof createTestClock>;
  readonly spoken: () => string;
  say(text: string, change?: Partial<Turn>, signal?: AbortSignal): Promise<Turn>;
}

/** The plugin with a scripted model and everything else in memory. */
export async function startChat(options: ChatOptions = {}): Promise<StartedChat> {
  const steps = [...(options.steps ?? [])];
  const calls: LanguageModelV4CallOptions[] = [];
  const events: TurnEvent[] = [];
  const traces: TraceEntry[] = [];
  const usage: UsageEntry[] = [];
  const names = new Map<string, string>();
  const chosenModels: (string | null)[] = [];
  const clock = createTestClock();
  const next = (call: LanguageModelV4CallOptions): Step => {
    calls.push(call);
    return steps.shift() ?? { say: "nothing more to say" };
  };
  const model = chosen(scriptedModel(next), options);
  const services: [ServiceKey<unknown>, unknown][] = [
    [Clock, clock],
    [Redaction, { mask: (value: unknown) => value, remember() {} }],
    [ToolGuard, looseGuard(options.tools ?? [])],
    [
      TokenUsage,
      {
        async record(entry: UsageEntry) {
          usage.push(entry);
          return entry.output_tokens;
        },
      },
    ],
    [
      Models,
      {
        choose: async () => model,
        failure: (error: unknown) => readFailure(error),
        find: async (name: string) => (name === "Big" ? { id: "model_big", name, purpose: "chat" } : undefined),
        listEnabled: async () => [{ id: "model_big", name: "Big", model: "big-1" }],
      },
    ],
    [
      Sessions,
      {
        customPrompt: async () => options.customPrompt ?? "",
        nameAutomatically: async (id: string, name: string) => void names.set(id, name),
        get: async () => testSession(),
        create: async ({ name = "New session" }) => ({ ...testSession(), id: "sess_new", name }),
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
    calls,
    events,
    traces,
    usage,
    names,
    chosenModels,
    clock,
    spoken: () => events.map((event) => (event.type === "delta" ? event.text : "")).join(""),
    say: (text, change = {}, signal = new AbortController().signal) =>
      runTurn(
        { ...testTurn(text), ...change },
        { stages: orderStages(started.all(TurnStages)), context: context(signal) },
      ),
  };
}

/** Lets everything through that needs no person. */
function looseGuard(tools: readonly Tool[]): ToolGuard {
  return {
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

export function testSession(change: Partial<Session> = {}): Session {
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

export function testTurn(text: string): Turn {
  const turn = turnOf({ text, session: testSession(), history: [said("user", text)] });
  return { ...turn, capabilities: { ...turn.capabilities, supports_tools: true } };
}

export function said(role: "user" | "assistant", content: string, kind: Message["kind"] = "normal"): Message {
  return { role, kind, content, sender: role === "user" ? "Ann" : "Mia", attachments: [] } as unknown as Message;
}

class ScriptedFailure extends Error {
  readonly failure: ModelFailure;
  constructor(failure: ModelFailure) {
    super(failure.detail);
    this.failure = failure;
  }
}

function readFailure(error: unknown): ModelFailure {
  if (error instanceof ScriptedFailure) return error.failure;
  const category = error instanceof Error && error.name === "TimeoutError" ? "timeout" : "server_error";
  return { category, statusCode: null, detail: String(error), retryAfterMs: null };
}

function chosen(language: LanguageModelV4, { parameters, protocol = "scripted" }: ChatOptions): ChosenModel {
  return {
    modelId: "model_1",
    label: "Scripted",
    model: "scripted-1",
    protocol,
    source: "active",
    parameters: {
      temperature: 0.7,
      topP: 0.9,
      frequencyPenalty: 0,
      presencePenalty: 0,
      maxTokens: 500,
      maxContextLength: 100_000,
      timeoutMs: 60_000,
      retryCount: 0,
      supportsTools: true,
      supportsStream: true,
      supportsVision: false,
      systemPrompt: "",
      ...parameters,
    },
    language,
  };
}

const TOKENS = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

function scriptedModel(next: (call: LanguageModelV4CallOptions) => Step): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted-1",
    supportedUrls: {},
    async doGenerate(options) {
      const step = next(options);
      if ("fail" in step) throw failureOf(step);
      const text = step.say ?? "";
      return {
        content: [{ type: "text", text }],
        finishReason: { unified: "stop", raw: undefined },
        usage: TOKENS,
        warnings: [],
      };
    },
    async doStream(options) {
      const step = next(options);
      if ("fail" in step && step.say === undefined) throw failureOf(step);
      return { stream: ReadableStream.from(partsOf(step)) };
    },
  };
}

async function* partsOf(step: Step): AsyncGenerator<LanguageModelV4StreamPart> {
  if ("thinking" in step && step.thinking) yield { type: "reasoning-delta", id: "r", delta: step.thinking };
  for (const delta of step.say?.match(/\s*\S+/g) ?? []) yield { type: "text-delta", id: "t", delta };
  if ("fail" in step) yield { type: "error", error: failureOf(step) };
  if ("hang" in step) await new Promise(() => {});
  if ("call" in step) {
    yield { type: "tool-call", toolCallId: "call_1", toolName: step.call, input: JSON.stringify(step.args ?? {}) };
  }
  const unified = "call" in step ? "tool-calls" : "finish" in step && step.finish ? step.finish : "stop";
  yield { type: "finish", finishReason: { unified, raw: undefined }, usage: TOKENS };
}

function failureOf({ fail, retryAfterMs }: Extract<Step, { fail: string }>): ScriptedFailure {
  return new ScriptedFailure({
    category: fail,
    statusCode: null,
    detail: "scripted",
    retryAfterMs: retryAfterMs ?? null,
  });
}
