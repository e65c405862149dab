import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ObjectSchema } from "@hapi/joi";
import {
  type AnswerContent,
  type AnsweringModel,
  type AskedTool,
  createPartQueue,
  deadline,
  estimateTokens,
  type ModelAnswer,
  type ModelCall,
  type ModelErrorCategory,
  type ModelFailure,
  type ModelPart,
  type ModelQuestion,
  type PromptRoom,
} from "@parley/core";
import type { Catalog } from "../catalog.ts";
import { withStreamHint } from "../failure.ts";
import { modelFailure } from "../said-failures.ts";
import type { Attempt, Attempts, Outcome } from "./attempts.ts";
import { type Heard, listen } from "./listen.ts";
import { type Extra, namedIn, toolExtra } from "./refusals.ts";
import { createSecretMask } from "./secret-mask.ts";
import { readValue, withFormat } from "./structured.ts";
import { type PortableTool, toPortableTool } from "./tool-schemas.ts";
import { toWellFormed } from "./well-formed.ts";

// The caller's signal ends a call; this one only what nobody stops.
const MAX_MS = 3_600_000;

export interface AskParts {
  readonly catalog: Pick<Catalog, "queue" | "only" | "failure">;
  readonly attempts: Attempts;
}

interface Said extends Pick<Heard, "text" | "thinking" | "toolCalls" | "content" | "finish"> {
  readonly value?: unknown;
}

/** Asks language models: text, tools, and values that fit a schema. */
export function createAsk({ catalog, attempts }: AskParts) {
  /** Identities of models that begin with thinking and only close it. */
  const bareThinkers = new Set<string>();
  /** Identities of the models that gave the parts of answers which are sent back. */
  const givenBy = new WeakMap<object, string>();
  return <Value>(question: ModelQuestion<Value>): ModelCall<Value> => {
    const stop = new AbortController();
    const queue = createPartQueue<ModelPart>(() => stop.abort());
    const tell = (part: ModelPart) => {
      if (part.type === "text") isTold = true;
      if (part.type === "attempt") isTold = false;
      queue.push(part);
    };
    let isTold = false;
    const answer = (async () => {
      try {
        const { turn, purpose } = question;
        let content: AnswerContent | undefined;
        // The provider's own data is for the turn alone: what is kept for a replay goes to nobody.
        const live = async () => {
          const { content: given, ...answer } = await askLive(question, stop.signal, tell);
          content = given;
          return answer;
        };
        const kept = turn
          ? await turn.external({ kind: "model", name: purpose, ask: live, figures: figuresOf })
          : await live();
        // One that was kept comes whole.
        if (!isTold && kept.text !== "") tell({ type: "text", text: kept.text });
        return { ...kept, ...(content && { content }) } as ModelAnswer<Value>;
      } finally {
        queue.end();
      }
    })();
    // Whoever only reads the parts learns of nothing else.
    answer.catch(() => {});
    return { parts: queue.parts, answer };
  };

  async function askLive(
    question: ModelQuestion,
    stopped: AbortSignal,
    tell: (part: ModelPart) => void,
  ): Promise<ModelAnswer> {
    using limit = deadline(MAX_MS, question.signal, stopped);
    const { signal } = limit;
    const { purpose, sessionModelId, onlyModelId } = question;
    const done = await attempts<Said>({
      purpose,
      options: { ...question, signal },
      queue:
        onlyModelId === undefined
          ? await catalog.queue(purpose, sessionModelId)
          : [await catalog.only(purpose, onlyModelId)],
      isOnce: question.isOnce ?? false,
      nothing: { text: "", thinking: "", toolCalls: [], content: [], finish: undefined },
      onAttempt(model, after) {
        tell({ type: "attempt", model, after });
      },
      run: (attempt) => once(question, attempt, tell),
    });
    const { model, usage, failure, result } = done;
    const { text, thinking, toolCalls, content, finish, value } = result;
    const ending = signal.aborted ? "aborted" : failure ? "failed" : finish === "length" ? "length" : "done";
    const isGood = ending === "done" || ending === "length";
    return {
      model,
      text,
      thinking,
      toolCalls,
      content,
      ending,
      usage,
      ...(ending === "failed" && failure && { failure }),
      ...(isGood && value !== undefined && { value }),
    };
  }

  async function once(
    question: ModelQuestion,
    attempt: Attempt,
    tell: (part: ModelPart) => void,
  ): Promise<Outcome<Said>> {
    const { model, signal, without, heard: began } = attempt;
    const { language, parameters } = model;
    if (!language) throw modelFailure("unavailable", "no_talk", { label: model.label });
    const { schema } = question;
    const { options, extras, offered } = optionsOf(question, attempt);
    const heard: Heard = { ...NOTHING_HEARD, toolCalls: [] };
    // What has to fit a schema is shown when it does.
    const isStreamed = question.isStreamed === true && parameters.supportsStream && !schema;
    let isShown = false;
    const thrown = await listen(language, options, {
      idleMs: parameters.timeoutMs,
      isStreamed,
      signal,
      heard,
      mask: createSecretMask(model.secrets ?? []),
      beginsThinking: bareThinkers.has(model.identity),
      to: {
        retract() {
          bareThinkers.add(model.identity);
          if (isStreamed) tell({ type: "attempt", model: answeringOf(model), after: null });
        },
        text(text) {
          began();
          if (!isStreamed) return;
          isShown = question.isShown ?? true;
          tell({ type: "text", text });
        },
        thinking(text) {
          began();
          if (isStreamed) tell({ type: "thinking", text });
        },
      },
    }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const read = thrown ? catalog.failure(signal.aborted ? signal.reason : thrown.error) : emptyFailure(heard);
    const isMute = isStreamed && heard.text === "" && heard.thinking === "" && heard.toolCalls.length === 0;
    const failure = read && thrown && isMute ? withStreamHint(read) : read;
    for (const part of heard.content) givenBy.set(part, model.identity);
    heard.toolCalls = heard.toolCalls.map((call) => restoredCall(call, offered));
    const tokens = tokensOf(heard, options.prompt, failure !== undefined);
    const sent = { protocol: model.protocol, tools: offered.map(({ tool }) => tool) };
    const refused = thrown ? namedIn(thrown.error, sent) : [];
    if (failure || !schema) return { result: heard, tokens, isShown, extras, refused, ...(failure && { failure }) };
    const made = readValue(heard.text, schema);
    if ("value" in made) return { result: { ...heard, value: made.value }, tokens, extras };
    const unfit = { text: heard.text, problem: made.problem };
    return {
      result: heard,
      tokens,
      extras,
      failure: failed(
        "invalid_response",
        `the answer does not fit: ${made.problem}`,
        `应答不符合要求：${made.problem}`,
      ),
      unfit,
    };

    function optionsOf(asked: ModelQuestion, { share, unfit }: Attempt) {
      const isCalling = parameters.supportsTools && !without.has("tools");
      const offered = (isCalling ? (asked.tools ?? []) : [])
        .map(toPortableTool)
        .filter(({ tool }) => !without.has(toolExtra(tool)));
      const tools = offered.map(({ tool }) => tool);
      const room: PromptRoom = { model, tools, share, isSeeing: parameters.supportsVision && !without.has("pictures") };
      const made = typeof asked.messages === "function" ? asked.messages(room) : asked.messages;
      const own = made.map((message) => withOwnParts(message, model.identity, givenBy));
      const prompt = toWellFormed(schema ? withFormat(own, schema, unfit) : own, model.protocol);
      // A prompt that is what it is cannot be made without them.
      const hasPictures = typeof asked.messages === "function" && prompt.some(hasFile);
      const found: Extra[] = [
        ...(schema ? (["format"] as const) : []),
        ...(hasPictures ? (["pictures"] as const) : []),
      ];
      return { options: callOptions(asked, attempt, prompt, tools), extras: found, offered };
    }
  }
}

function callOptions(
  { toolChoice = "auto", parameters: own = {}, schema }: ModelQuestion,
  { model, without }: Attempt,
  prompt: LanguageModelV4Prompt,
  tools: PromptRoom["tools"],
): LanguageModelV4CallOptions {
  const { temperature, topP, frequencyPenalty, presencePenalty, maxTokens: most, unset = [] } = model.parameters;
  const limits = [own.maxTokens, unset.includes("maxTokens") ? undefined : most].filter((one) => one !== undefined);
  const warmth = own.temperature ?? (unset.includes("temperature") ? undefined : temperature);
  return {
    prompt,
    ...(limits.length > 0 && { maxOutputTokens: Math.min(...limits) }),
    ...(warmth !== undefined && { temperature: warmth }),
    ...(!unset.includes("topP") && { topP }),
    // Some servers refuse the fields; 0 is what their absence means.
    ...(frequencyPenalty !== 0 && { frequencyPenalty }),
    ...(presencePenalty !== 0 && { presencePenalty }),
    ...(tools.length > 0 && { tools: [...tools], toolChoice: { type: toolChoice } }),
    ...(schema && !without.has("format") && { responseFormat: formatOf(schema) }),
    // Nothing is left with the provider, so thoughts and calls go back whole, not by the id of a stored one.
    ...(model.protocol === "openai_responses" && { providerOptions: { openai: { store: false } } }),
  };
}

function answeringOf({ modelId, label, model, protocol, source }: AnsweringModel): AnsweringModel {
  return { modelId, label, model, protocol, source };
}

const NOTHING_HEARD: Heard = {
  text: "",
  thinking: "",
  toolCalls: [],
  content: [],
  finish: undefined,
  usage: undefined,
};

/** A provider's own data goes back to the model that gave it alone: another one may refuse it. */
function withOwnParts(
  message: LanguageModelV4Prompt[number],
  identity: string,
  givenBy: WeakMap<object, string>,
): LanguageModelV4Prompt[number] {
  if (message.role !== "assistant") return message;
  const content = message.content.flatMap((part): (typeof part)[] => {
    const giver = givenBy.get(part);
    if (giver === undefined || giver === identity) return [part];
    if (part.type !== "text" && part.type !== "tool-call") return [];
    const { providerOptions: _, ...plain } = part;
    return [plain];
  });
  return { ...message, content };
}

/** The call with the argument names that the tool knows. */
function restoredCall(call: AskedTool, offered: readonly PortableTool[]): AskedTool {
  const found = offered.find(({ tool }) => tool.name === call.name);
  try {
    return found?.restore ? { ...call, input: JSON.stringify(found.restore(JSON.parse(call.input))) } : call;
  } catch {
    // Arguments that are no JSON are refused where the tool is called.
    return call;
  }
}

function formatOf(schema: ObjectSchema): NonNullable<LanguageModelV4CallOptions["responseFormat"]> {
  const json = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  return { type: "json", schema: json as never };
}

function hasFile({ content }: LanguageModelV4Prompt[number]): boolean {
  if (typeof content === "string") return false;
  return content.some((part) => {
    if (part.type !== "tool-result" || part.output.type !== "content") return part.type === "file";
    return part.output.value.some(({ type }) => type === "file");
  });
}

function failed(category: ModelErrorCategory, detail: string, chinese: string): ModelFailure {
  return { category, detail, chinese, statusCode: null, retryAfterMs: null };
}

function emptyFailure({ text, toolCalls, finish }: Heard): ModelFailure | undefined {
  if (finish === undefined || finish === "error" || finish === "interrupted") {
    return { ...failed("invalid_response", "the answer broke off", ""), reason: "broken_off" };
  }
  if (text.trim() !== "" || toolCalls.length > 0) return undefined;
  if (finish === "content-filter") return failed("content_refused", "the provider refused to answer", "");
  return { ...failed("invalid_response", "the answer was empty", ""), reason: "empty" };
}

function tokensOf({ usage, text, thinking }: Heard, prompt: LanguageModelV4Prompt, isFailed: boolean) {
  // A request that was refused costs nothing; for one that broke off the provider's figures are missing.
  if (isFailed && !usage && text === "" && thinking === "") return { input_tokens: 0, output_tokens: 0 };
  return {
    input_tokens: usage?.inputTokens.total ?? estimateTokens(textOf(prompt)),
    output_tokens: usage?.outputTokens.total ?? estimateTokens(text + thinking),
  };
}

/** Everything but the bytes of files. */
function textOf(prompt: LanguageModelV4Prompt): string {
  return JSON.stringify(prompt, (_key, value) => (value?.type === "file" ? { type: "file" } : value));
}

function figuresOf({ model, usage, ending, toolCalls }: ModelAnswer) {
  const { input_tokens, output_tokens, cost } = usage;
  const price = cost === null ? {} : { cost };
  const { modelId: model_id, model: name } = model;
  return { model_id, model: name, ending, input_tokens, output_tokens, ...price, tool_calls: toolCalls.length };
}
