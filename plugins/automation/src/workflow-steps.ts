import { type Clock, derivedId, type Sessions, type ToolGuard } from "@parley/core";
import { type AiLoopParts, askWithTools, runTool, textOfResult } from "./ai-loop.ts";
import { pause } from "./ledger.ts";
import { type OrderOfRun, speakOrderOf } from "./orders.ts";
import type { RunContext } from "./run-job.ts";
import { automationFailure } from "./said-failures.ts";
import { type Speaker, sessionOf, type Target } from "./targets.ts";
import { filledText, filledValue, type Variables } from "./templates.ts";
import type { Step, WorkflowFields } from "./workflow-schema.ts";

export const USUAL_ROUNDS = 20;
/** A longer wait is slept: nothing is held meanwhile, and a restart does not shorten it. */
const LONGEST_WAIT_MS = 60_000;

/** What a run of a workflow works with: the definition as it was when it was started. */
export interface WorkflowOrder extends OrderOfRun {
  readonly workflow: Pick<WorkflowFields, "name" | "description" | "config" | "steps"> & { readonly id: string };
  readonly content: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface WorkflowWorkParts extends AiLoopParts {
  readonly sessions: () => Sessions;
  readonly guard: () => ToolGuard | undefined;
  readonly speaker: Speaker;
  readonly clock: Clock;
}

/** The conversation that shows what a workflow's runs did. */
export const workflowSession = (workflowId: string) => derivedId("sess", workflowId);

/** Who calls tools and models in a run. */
export function callerOf({ row, ledger, order }: RunContext, signal: AbortSignal) {
  const { workflow } = order as WorkflowOrder;
  const speaks = speakOrderOf({ order });
  return {
    traceId: row.trace_id,
    sessionId: workflowSession(workflow.id),
    ownerId: row.owner_id,
    signal,
    ledger,
    speaks,
  };
}

type Did = { readonly output: unknown } | { readonly sleepUntilMs: number; readonly key: string };

/** Does one step. What its templates name is filled in first: a name that nothing gives fails the step. */
export async function doStep(
  parts: WorkflowWorkParts,
  run: RunContext,
  step: Step,
  variables: Variables,
  { config }: WorkflowOrder["workflow"],
): Promise<Did> {
  switch (step.action) {
    case "ai":
      return { output: await askStep(parts, run, step, variables, config) };
    case "tool":
      return { output: await toolStep(parts, run, step, variables) };
    case "message":
      return { output: await messageStep(parts, run, step, variables, config) };
    case "delay":
      return delayStep(parts, run, step);
  }
}

interface AiInput {
  readonly prompt: string;
  readonly system?: string;
  readonly tools?: readonly string[];
  readonly model_id?: string;
}

function askStep(
  parts: WorkflowWorkParts,
  run: RunContext,
  step: Step,
  variables: Variables,
  config: WorkflowFields["config"],
) {
  const { id, input, retry, timeout_s } = step;
  return filledStep(run, step, variables, false, (filled) =>
    limited(timeout_s, run.signal, (signal) => {
      const { prompt, system = "", tools = [], model_id } = filled as unknown as AiInput;
      const allowed = config.tools ? tools.filter((name) => config.tools?.includes(name)) : tools;
      const mostRounds = allowed.length === 0 ? 1 : (config.max_iterations ?? USUAL_ROUNDS);
      const modelId = model_id ?? (input as unknown as AiInput).model_id;
      const task = { key: id, system, prompt, tools: allowed, modelId, mostRounds, retries: retry };
      return askWithTools(parts, task, callerOf(run, signal));
    }),
  );
}

function toolStep(parts: WorkflowWorkParts, run: RunContext, step: Step, variables: Variables) {
  const name = String(step.input.name);
  const tool = parts
    .guard()
    ?.list("ai")
    .find((one) => one.name === name);
  return filledStep(run, step, variables, tool?.risk !== "read", (filled) =>
    limited(step.timeout_s, run.signal, async (signal) => {
      const caller = callerOf(run, signal);
      const value = await runTool(parts.guard(), name, filled.arguments ?? {}, caller);
      // What is small keeps its form, so that later steps can reach into it.
      const isPlain = typeof value === "object" && value !== null && !("parts" in value);
      const text = textOfResult(value);
      return isPlain && text === JSON.stringify(value) ? value : text;
    }),
  );
}

/** A step of the ledger whose inputs are filled in when it is done. */
function filledStep<Output>(
  run: RunContext,
  { id, action, input, retry }: Step,
  variables: Variables,
  isRisky: boolean,
  work: (filled: Readonly<Record<string, unknown>>) => Promise<Output>,
): Promise<Output> {
  const fill = () =>
    (action === "tool"
      ? { ...input, arguments: filledValue(variables, input.arguments) }
      : mapTexts(input, (text) => filledText(variables, text))) as Readonly<Record<string, unknown>>;
  const { shown, filled } = tryFill(fill, input);
  // Repeats of an answer are the model's own steps.
  const retries = action === "ai" ? 0 : retry;
  return run.ledger.once({ key: id, name: id, action, input: shown, isRisky, retries }, async () => ({
    output: await work(filled()),
  }));
}

/** The inputs as people see them; those that cannot be filled in are shown as they were written. */
function tryFill<Filled>(fill: () => Filled, written: unknown) {
  try {
    const filled = fill();
    return { shown: filled as unknown, filled: () => filled };
  } catch (error) {
    const filled = (): Filled => {
      throw error;
    };
    return { shown: written, filled };
  }
}

function mapTexts(input: Readonly<Record<string, unknown>>, change: (text: string) => string) {
  return Object.fromEntries(
    Object.entries(input).map(([key, one]) => [key, typeof one === "string" ? change(one) : one]),
  );
}

function messageStep(
  { speaker }: WorkflowWorkParts,
  run: RunContext,
  step: Step,
  variables: Variables,
  config: WorkflowFields["config"],
) {
  return filledStep(run, step, variables, true, (filled) =>
    limited(step.timeout_s, run.signal, async () => {
      const own = filled as unknown as Target & { readonly content: string };
      const sessionId = sessionOf(own.target_type === undefined ? config : own);
      if (sessionId === undefined) throw automationFailure("bad_request", "no_target");
      const said = { key: `${run.row.run_id}:${step.id}`, text: own.content, source: "workflow" } as const;
      return speaker.say(sessionId, said, speakOrderOf(run));
    }),
  );
}

async function delayStep(
  { clock }: WorkflowWorkParts,
  { ledger, signal }: RunContext,
  { id, action, input }: Step,
): Promise<Did> {
  if (ledger.state(id) === "done") return { output: null };
  const began = await ledger.open({ key: id, name: id, action, input, isRisky: false });
  const untilMs = began + Number(input.seconds) * 1000;
  const leftMs = untilMs - clock.now();
  if (leftMs > LONGEST_WAIT_MS) return { sleepUntilMs: untilMs, key: id };
  if (leftMs > 0) await pause(leftMs, signal);
  await ledger.close(id);
  return { output: null };
}

/** Ends what takes too long, also when it does not heed its signal. */
async function limited<T>(seconds: number, above: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const signal = AbortSignal.any([above, limit.signal]);
  const { promise: cut, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => limit.abort(automationFailure("timed_out", "step_late", { seconds })), seconds * 1000);
  try {
    return await Promise.race([work(signal), cut]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
