import { AppError } from "@parley/core";
import { getSpeakOrder } from "../authorship.ts";
import { askWithTools } from "../runs/ai-loop.ts";
import { Interrupted } from "../runs/ledger.ts";
import type { RunContext, Runner, RunOutcome } from "../runs/run-job.ts";
import { type Speaker, toTargetSession } from "../speaker.ts";
import { toStepError } from "../stored-failures.ts";
import { isConditionMet } from "./conditions.ts";
import { toText, type Variables } from "./templates.ts";
import type { Step } from "./workflow-schema.ts";
import {
  DEFAULT_ROUNDS,
  runStep,
  toCaller,
  toWorkflowSessionId,
  type WorkflowOrder,
  type WorkflowRunnerDeps,
} from "./workflow-steps.ts";

const BUILT_IN_VARIABLES = ["trigger", "content"];

/** Creates the workflow runner: it runs the steps in order, or without steps the description as a task for the AI. */
export function createWorkflowRunner(deps: WorkflowRunnerDeps): Runner {
  const { sessions, speaker } = deps;
  return async (run) => {
    const { workflow, content, inputs } = run.order as WorkflowOrder;
    const { id } = await sessions().openOwn({
      id: toWorkflowSessionId(workflow.id),
      type: "workflow",
      name: workflow.name,
    });
    await run.setSession(id);
    const instruction = content === "" ? workflow.description : content;
    await recordMessage(deps, run, id, "user", instruction);
    const outcome = await (workflow.steps.length === 0
      ? runAsTask(deps, run, workflow, toTaskPrompt(workflow, content, inputs))
      : runSteps(deps, run, { workflow, content, inputs }));
    if ("sleepUntilMs" in outcome || outcome.result.trim() === "") return outcome;
    await recordMessage(deps, run, id, "assistant", outcome.result);
    const target = toTargetSession(workflow.config);
    if (target !== undefined) await sendMessage(speaker, run, "_result", { sessionId: target, text: outcome.result });
    return outcome;
  };
}

/** Adds a message to the workflow's conversation, only once. */
async function recordMessage(
  { sessions }: WorkflowRunnerDeps,
  { row }: RunContext,
  sessionId: string,
  role: "user" | "assistant",
  content: string,
) {
  await sessions().record(sessionId, {
    role,
    content,
    attachments: [],
    sender: row.owner_name,
    senderId: null,
    source: "workflow",
    platformMessageId: `${row.run_id}:${role}`,
  });
}

function sendMessage(
  speaker: Speaker,
  run: RunContext,
  key: string,
  { sessionId, text }: { sessionId: string; text: string },
  step?: Step,
) {
  const input = { session: sessionId, content: text };
  const retries = step?.retry ?? 0;
  return run.ledger.once(
    { key, name: step?.id ?? "result", action: "message", input, isRisky: true, retries },
    async () => ({
      output: await speaker.say(
        sessionId,
        { key: `${run.row.run_id}:${key}`, text, source: "workflow" },
        getSpeakOrder(run),
      ),
    }),
  );
}

function toTaskPrompt(
  { description }: WorkflowOrder["workflow"],
  content: string,
  inputs: WorkflowOrder["inputs"],
): string {
  const inputLines = Object.keys(inputs).length === 0 ? [] : [`Inputs: ${JSON.stringify(inputs)}`];
  return [description, ...(content === "" ? [] : [content]), ...inputLines].join("\n\n");
}

async function runAsTask(
  deps: WorkflowRunnerDeps,
  run: RunContext,
  { name, config }: WorkflowOrder["workflow"],
  prompt: string,
): Promise<RunOutcome> {
  const task = {
    key: "ai",
    system: `You carry out the workflow "${name}". Use the tools you need, then answer with the result alone.`,
    prompt,
    tools: config.tools,
    maxRounds: config.max_iterations ?? DEFAULT_ROUNDS,
    retries: 1,
  };
  return { result: await askWithTools(deps, task, toCaller(run, run.signal)) };
}

async function runSteps(deps: WorkflowRunnerDeps, run: RunContext, order: WorkflowOrder): Promise<RunOutcome> {
  const { workflow, content, inputs } = order;
  const values = new Map<string, unknown>([
    ...Object.entries(inputs),
    ["trigger", run.row.trigger_kind],
    ["content", content],
  ]);
  const declared = new Set(workflow.steps.flatMap(({ output_var }) => output_var ?? []));
  const variables: Variables = { values, declared };
  let result = "";
  for (const step of workflow.steps) {
    const { id, action, condition } = step;
    try {
      if (condition && !isConditionMet(variables, condition)) {
        await run.ledger.skip({ key: id, name: id, action, input: { condition } });
        continue;
      }
      const stepResult = await runStep(deps, run, step, variables, workflow);
      if ("sleepUntilMs" in stepResult) return stepResult;
      if (step.output_var !== undefined) values.set(step.output_var, stepResult.output);
      if (action === "ai" || action === "tool") result = toText(stepResult.output);
    } catch (error) {
      if (run.signal.aborted || error instanceof Interrupted || !AppError.is(error)) throw error;
      if (step.on_error === "continue") continue;
      throw toStepError(id, error);
    }
  }
  return { result };
}

/** Names that inputs and outputs may not have. */
export const RESERVED_NAMES: readonly string[] = BUILT_IN_VARIABLES;
