import { type Clock, derivedId, type OfferedElements, type Sessions, type ToolGuard } from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import { getSpeakOrder, type StoredSpeakOrder } from "../authorship.ts";
import { type AiLoopDeps, askWithTools, runTool, toResultText } from "../runs/ai-loop.ts";
import { sleep } from "../runs/ledger.ts";
import type { RunContext } from "../runs/run-job.ts";
import { type Speaker, type Target, toTargetSession } from "../speaker.ts";
import { automationTexts } from "../texts.ts";
import { type ChoiceInput, createChoices } from "./choices.ts";
import { fillText, fillValue, type Variables } from "./templates.ts";
import type { Step, WorkflowFields } from "./workflow-schema.ts";

export const DEFAULT_ROUNDS = 20;
/** Time after the last possible press until a question counts as unanswered, since the press is stored a little later. */
const CHOICE_GRACE_MS = 30_000;
/** Longest wait within the process. Longer waits are scheduled, so that they occupy nothing and survive restarts. */
const MAX_INLINE_WAIT_MS = 60_000;

/** Order of a workflow run: the definition when it started. */
export interface WorkflowOrder extends StoredSpeakOrder {
  readonly workflow: Pick<WorkflowFields, "name" | "description" | "config" | "steps"> & { readonly id: string };
  readonly content: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface WorkflowRunnerDeps extends AiLoopDeps {
  readonly sessions: () => Sessions;
  readonly guard: () => ToolGuard | undefined;
  readonly speaker: Speaker;
  readonly clock: Clock;
}

/** Returns the id of the conversation that shows the runs of a workflow. */
export const toWorkflowSessionId = (workflowId: string) => derivedId("sess", workflowId);

/** Returns the identity of the caller for tools and models in a run. */
export function toCaller({ row, ledger, order }: RunContext, signal: AbortSignal) {
  const { workflow } = order as WorkflowOrder;
  const speaks = getSpeakOrder({ order });
  return {
    traceId: row.trace_id,
    sessionId: toWorkflowSessionId(workflow.id),
    ownerId: row.owner_id,
    signal,
    ledger,
    speaks,
  };
}

type StepResult = { readonly output: unknown } | { readonly sleepUntilMs: number };

/** Runs one step after filling its templates. An undeclared name fails the step. */
export async function runStep(
  deps: WorkflowRunnerDeps,
  run: RunContext,
  step: Step,
  variables: Variables,
  { config }: WorkflowOrder["workflow"],
): Promise<StepResult> {
  switch (step.action) {
    case "ai":
      return { output: await runAiStep(deps, run, step, variables, config) };
    case "tool":
      return { output: await runToolStep(deps, run, step, variables) };
    case "message":
      return { output: await runMessageStep(deps, run, step, variables, config) };
    case "choice":
      return runChoiceStep(deps, run, step, variables, config);
    case "delay":
      return runDelayStep(deps, run, step);
  }
}

interface AiInput {
  readonly prompt: string;
  readonly system?: string;
  readonly tools?: readonly string[];
  readonly model_id?: string;
}

function runAiStep(
  deps: WorkflowRunnerDeps,
  run: RunContext,
  step: Step,
  variables: Variables,
  config: WorkflowFields["config"],
) {
  const { id, input, retry, timeout_s } = step;
  return runFilledStep(run, step, variables, false, (filled) =>
    withTimeLimit(timeout_s, run.signal, (signal) => {
      const { prompt, system = "", tools = [], model_id } = filled as unknown as AiInput;
      const allowed = config.tools ? tools.filter((name) => config.tools?.includes(name)) : tools;
      const maxRounds = allowed.length === 0 ? 1 : (config.max_iterations ?? DEFAULT_ROUNDS);
      const modelId = model_id ?? (input as unknown as AiInput).model_id;
      const task = { key: id, system, prompt, tools: allowed, modelId, maxRounds, retries: retry };
      return askWithTools(deps, task, toCaller(run, signal));
    }),
  );
}

function runToolStep(deps: WorkflowRunnerDeps, run: RunContext, step: Step, variables: Variables) {
  const name = String(step.input.name);
  const tool = deps
    .guard()
    ?.list("ai")
    .find((one) => one.name === name);
  return runFilledStep(run, step, variables, tool?.risk !== "read", (filled) =>
    withTimeLimit(step.timeout_s, run.signal, async (signal) => {
      const caller = toCaller(run, signal);
      const value = await runTool(deps.guard(), name, filled.arguments ?? {}, caller);
      // Small values keep their structure, so that later steps can use their parts.
      const isPlain = typeof value === "object" && value !== null && !("parts" in value);
      const text = toResultText(value);
      return isPlain && text === JSON.stringify(value) ? value : text;
    }),
  );
}

/** Runs a step of the ledger; its inputs are filled in when it starts. */
function runFilledStep<Output>(
  run: RunContext,
  { id, action, input, retry }: Step,
  variables: Variables,
  isRisky: boolean,
  work: (filledInput: Readonly<Record<string, unknown>>) => Promise<Output>,
): Promise<Output> {
  const fill = () =>
    (action === "tool"
      ? { ...input, arguments: fillValue(variables, input.arguments) }
      : mapTexts(input, (text) => fillText(variables, text))) as Readonly<Record<string, unknown>>;
  const { shown, filled } = tryFill(fill, input);
  // An answer is retried by the steps of the model.
  const retries = action === "ai" ? 0 : retry;
  return run.ledger.once({ key: id, name: id, action, input: shown, isRisky, retries }, async () => ({
    output: await work(filled()),
  }));
}

/** Returns the inputs as people see them; inputs that cannot be filled are returned as they were written. */
function tryFill<Filled>(fill: () => Filled, template: unknown) {
  try {
    const filled = fill();
    return { shown: filled as unknown, filled: () => filled };
  } catch (error) {
    const filled = (): Filled => {
      throw error;
    };
    return { shown: template, filled };
  }
}

function mapTexts(input: Readonly<Record<string, unknown>>, change: (text: string) => string) {
  return Object.fromEntries(
    Object.entries(input).map(([key, one]) => [key, typeof one === "string" ? change(one) : one]),
  );
}

function runMessageStep(
  { speaker }: WorkflowRunnerDeps,
  run: RunContext,
  step: Step,
  variables: Variables,
  config: WorkflowFields["config"],
  offered?: OfferedElements,
) {
  return runFilledStep(run, step, variables, true, (filled) =>
    withTimeLimit(step.timeout_s, run.signal, async () => {
      const messageInput = filled as unknown as Target & { readonly content: string };
      const sessionId = toTargetSession(messageInput.target_type === undefined ? config : messageInput);
      if (sessionId === undefined) throw automationTexts.error("bad_request", "no_target");
      const key = `${run.row.run_id}:${step.id}`;
      const outgoing = { key, text: messageInput.content, source: "workflow", ...(offered && { offered }) } as const;
      return speaker.say(sessionId, outgoing, getSpeakOrder(run));
    }),
  );
}

/** Asks a person, sleeps until the choice or the end of its time, and returns the choice. */
async function runChoiceStep(
  deps: WorkflowRunnerDeps,
  run: RunContext,
  step: Step,
  variables: Variables,
  config: WorkflowFields["config"],
): Promise<StepResult> {
  const { ledger, row } = run;
  const { id, action, input } = step;
  if (ledger.state(id) === "done") return { output: ledger.output(id) };
  const wait = { key: id, name: id, action, input, isRisky: false };
  const failWith = (error: unknown) => ledger.once<null>(wait, () => Promise.reject(error));
  // Opened before the question is sent, since the answer may come at once.
  const began = await ledger.open(wait);
  const { choices, seconds } = input as unknown as ChoiceInput;
  try {
    const question = { ...step, id: `${id}:question` };
    await runMessageStep(deps, run, question, variables, config, createChoices(row.run_id, id, choices, seconds));
  } catch (error) {
    return { output: await failWith(error) };
  }
  const untilMs = began + seconds * 1_000 + CHOICE_GRACE_MS;
  if (untilMs > deps.clock.now()) return { sleepUntilMs: untilMs };
  return { output: await failWith(automationTexts.error("timed_out", "nobody_chose", { seconds })) };
}

async function runDelayStep(
  { clock }: WorkflowRunnerDeps,
  { ledger, signal }: RunContext,
  { id, action, input }: Step,
): Promise<StepResult> {
  if (ledger.state(id) === "done") return { output: null };
  const began = await ledger.open({ key: id, name: id, action, input, isRisky: false });
  const untilMs = began + Number(input.seconds) * 1000;
  const leftMs = untilMs - clock.now();
  if (leftMs > MAX_INLINE_WAIT_MS) return { sleepUntilMs: untilMs };
  if (leftMs > 0) await sleep(leftMs, signal);
  await ledger.close(id);
  return { output: null };
}

/** Rejects when the work exceeds its time limit or the signal aborts, even if the work ignores the signal. */
async function withTimeLimit<T>(
  seconds: number,
  parentSignal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const signal = AbortSignal.any([parentSignal, limit.signal]);
  const timer = setTimeout(
    () => limit.abort(automationTexts.error("timed_out", "step_late", { seconds })),
    seconds * 1000,
  );
  try {
    return await raceWithSignal(work(signal), signal);
  } finally {
    clearTimeout(timer);
  }
}
