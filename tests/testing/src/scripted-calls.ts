import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  AppError,
  type ChosenModel,
  createPartQueue,
  type ModelAnswer,
  type ModelCall,
  type ModelCalls,
  type ModelErrorCategory,
  type ModelPart,
  type ModelQuestion,
  type Usage,
} from "@parley/core";

/** Response of the scripted model to one question. `hang` never responds until the question is aborted. */
export type ScriptedAnswer =
  | { readonly say: string; readonly thinking?: string; readonly finish?: "done" | "length" }
  | { readonly call: string; readonly args?: unknown; readonly say?: string }
  | { readonly value: unknown }
  | { readonly fail: ModelErrorCategory; readonly say?: string }
  | { readonly hang: true; readonly say?: string };

/** A question as a model would receive it. */
export interface ScriptedQuestion {
  readonly question: ModelQuestion;
  readonly prompt: LanguageModelV4Prompt;
  readonly tools: readonly LanguageModelV4FunctionTool[];
}

/** A model that follows a test's script. */
export interface ScriptedCalls extends ModelCalls {
  /** Scripted answers; without any the model says `nothing more to say`. */
  readonly script: ScriptedAnswer[];
  /** All questions, oldest first. */
  readonly asked: readonly ScriptedQuestion[];
}

/** Properties of the scripted model. */
export interface ScriptedCallsOptions {
  readonly protocol?: string;
  readonly parameters?: Partial<ChosenModel["parameters"]>;
}

const USAGE: Usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15, cost: 5 };

/** Creates the model that scripted calls ask. */
export function scriptedModel({ protocol = "scripted", parameters }: ScriptedCallsOptions = {}): ChosenModel {
  return {
    modelId: "model_1",
    label: "Scripted",
    model: "scripted-1",
    protocol,
    source: "active",
    identity: "scripted@here",
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
  };
}

/** Model calls that follow a script, without provider, queue or network. */
export function scriptedCalls(script: ScriptedAnswer[] = [], options: ScriptedCallsOptions = {}): ScriptedCalls {
  const model = scriptedModel(options);
  const asked: ScriptedQuestion[] = [];
  const next = (question: ModelQuestion): ScriptedAnswer => {
    const tools = model.parameters.supportsTools ? (question.tools ?? []) : [];
    const room = { model, tools, share: 1, isSeeing: model.parameters.supportsVision };
    const { messages } = question;
    asked.push({ question, prompt: typeof messages === "function" ? messages(room) : messages, tools });
    return script.shift() ?? { say: "nothing more to say" };
  };
  const reject = async () => {
    throw new AppError("unavailable", "no model is configured for this purpose");
  };
  return {
    script,
    asked,
    ask<Value>(question: ModelQuestion<Value>): ModelCall<Value> {
      const queue = createPartQueue<ModelPart>(() => {});
      const live = () => runStep(next(question), model, question.signal, queue.push);
      const { turn, purpose } = question;
      const answer = turn ? turn.external({ kind: "model", name: purpose, ask: live }) : live();
      // Ends the parts with the answer, for callers that only read the parts.
      answer.then(queue.end, queue.end);
      return { parts: queue.parts, answer: answer as Promise<ModelAnswer<Value>> };
    },
    embed: reject,
    rerank: async () => undefined,
    image: reject,
    speech: reject,
    transcribe: reject,
  };
}

async function runStep(
  step: ScriptedAnswer,
  { modelId, label, model, protocol, source }: ChosenModel,
  signal: AbortSignal,
  tell: (part: ModelPart) => void,
): Promise<ModelAnswer> {
  const who = { modelId, label, model, protocol, source };
  const thinking = "thinking" in step ? (step.thinking ?? "") : "";
  const text = "value" in step ? JSON.stringify(step.value) : "say" in step ? (step.say ?? "") : "";
  tell({ type: "attempt", model: who, after: null });
  if (thinking) tell({ type: "thinking", text: thinking });
  for (const piece of text.match(/\s*\S+/g) ?? []) tell({ type: "text", text: piece });
  if ("hang" in step) {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
  const reply = { model: who, text, thinking, toolCalls: [], usage: USAGE };
  if (signal.aborted) return { ...reply, ending: "aborted" };
  if ("fail" in step) {
    const failure = { category: step.fail, statusCode: null, detail: "scripted", retryAfterMs: null };
    return { ...reply, ending: "failed", failure };
  }
  if ("call" in step) {
    const toolCalls = [{ id: "call_1", name: step.call, input: JSON.stringify(step.args ?? {}) }];
    return { ...reply, toolCalls, ending: "done" };
  }
  if ("value" in step) return { ...reply, value: step.value, ending: "done" };
  return { ...reply, ending: "finish" in step && step.finish ? step.finish : "done" };
}
