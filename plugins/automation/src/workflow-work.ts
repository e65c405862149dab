import { AppError } from "@parley/core";
import { askWithTools } from "./ai-loop.ts";
import { holds } from "./conditions.ts";
import { ofStep } from "./kept-failures.ts";
import { Interrupted } from "./ledger.ts";
import { speakOrderOf } from "./orders.ts";
import type { RunContext, RunOutcome, RunWork } from "./run-job.ts";
import { type Speaker, sessionOf } from "./targets.ts";
import { textOf, type Variables } from "./templates.ts";
import type { Step } from "./workflow-schema.ts";
import {
  callerOf,
  doStep,
  USUAL_ROUNDS,
  type WorkflowOrder,
  type WorkflowWorkParts,
  workflowSession,
} from "./workflow-steps.ts";

const NAMES = ["trigger", "content"];

/** Runs a workflow: its steps one after another, or without steps what it says of itself as a task for the AI. */
export function workflowWork(parts: WorkflowWorkParts): RunWork {
  const { sessions, speaker } = parts;
  return async (run) => {
    const { workflow, content, inputs } = run.order as WorkflowOrder;
    const { id } = await sessions().openOwn({
      id: workflowSession(workflow.id),
      type: "workflow",
      name: workflow.name,
    });
    await run.inSession(id);
    const asked = content === "" ? workflow.description : content;
    await note(parts, run, id, "user", asked);
    const outcome = await (workflow.steps.length === 0
      ? withoutSteps(parts, run, workflow, taskOf(workflow, content, inputs))
      : stepByStep(parts, run, { workflow, content, inputs }));
    if ("sleepUntilMs" in outcome || outcome.result.trim() === "") return outcome;
    await note(parts, run, id, "assistant", outcome.result);
    const target = sessionOf(workflow.config);
    if (target !== undefined) await say(speaker, run, "_result", { sessionId: target, text: outcome.result });
    return outcome;
  };
}

/** Puts a word into the workflow's conversation, once. */
async function note(
  { sessions }: WorkflowWorkParts,
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

function say(
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
        speakOrderOf(run),
      ),
    }),
  );
}

function taskOf({ description }: WorkflowOrder["workflow"], content: string, inputs: WorkflowOrder["inputs"]): string {
  const given = Object.keys(inputs).length === 0 ? [] : [`Inputs: ${JSON.stringify(inputs)}`];
  return [description, ...(content === "" ? [] : [content]), ...given].join("\n\n");
}

async function withoutSteps(
  parts: WorkflowWorkParts,
  run: RunContext,
  { name, config }: WorkflowOrder["workflow"],
  prompt: string,
): Promise<RunOutcome> {
  const task = {
    key: "ai",
    system: `You carry out the workflow "${name}". Use the tools you need, then answer with the result alone.`,
    prompt,
    tools: config.tools,
    mostRounds: config.max_iterations ?? USUAL_ROUNDS,
    retries: 1,
  };
  return { result: await askWithTools(parts, task, callerOf(run, run.signal)) };
}

async function stepByStep(parts: WorkflowWorkParts, run: RunContext, order: WorkflowOrder): Promise<RunOutcome> {
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
      if (condition && !holds(variables, condition)) {
        await run.ledger.skip({ key: id, name: id, action, input: { condition } });
        continue;
      }
      const did = await doStep(parts, run, step, variables, workflow);
      if ("sleepUntilMs" in did) return did;
      if (step.output_var !== undefined) values.set(step.output_var, did.output);
      if (action === "ai" || action === "tool") result = textOf(did.output);
    } catch (error) {
      if (run.signal.aborted || error instanceof Interrupted || !AppError.is(error)) throw error;
      if (step.on_error === "continue") continue;
      throw ofStep(id, error);
    }
  }
  return { result };
}

/** Names that inputs and outputs may not take. */
export const RESERVED_NAMES: readonly string[] = NAMES;
