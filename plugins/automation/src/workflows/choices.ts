import Joi from "@hapi/joi";
import {
  type Clock,
  type Database,
  type ElementHandler,
  type ElementPress,
  type JobKind,
  type Jobs,
  jobKind,
  type OfferedElements,
} from "@parley/core";
import { createChoiceWrite, type RunStore } from "../runs/run-store.ts";
import type { Runs } from "../runs/runs.ts";
import { automationTexts } from "../texts.ts";

const HANDLER = "automation.choice";
/** Kind of the jobs that continue a run after a choice. */
const CONTINUE_JOB = "automation.continue-run";
/** Pause before a run that is not asleep yet is continued. */
const PAUSE_MS = 500;

/** Input of a step that asks a person to choose. */
export interface ChoiceInput {
  readonly choices: readonly string[];
  readonly seconds: number;
}

/** Returns the buttons below the question of a step, and the rules for their presses. */
export function createChoices(
  runId: string,
  stepKey: string,
  choices: readonly string[],
  seconds: number,
): OfferedElements {
  const items = choices.map((label, at) => ({ id: `choice-${at}`, label }));
  const press = { handler: HANDLER, data: { run_id: runId, step: stepKey }, ttlS: seconds };
  return { elements: [{ type: "buttons", id: "choice", items }], press };
}

export interface ChoiceHandlerDeps {
  readonly store: Pick<RunStore, "find" | "steps">;
  readonly database: () => Database;
  readonly jobs: () => Pick<Jobs, "add">;
  readonly clock: Clock;
}

/** Creates the handler that stores a choice and continues its run. Both may be repeated. */
export function createChoiceHandler({ store, database, jobs, clock }: ChoiceHandlerDeps): ElementHandler {
  const toStep = ({ data = {} }: ElementPress) => ({ runId: data.run_id ?? "", key: data.step ?? "" });
  return {
    id: HANDLER,
    async check(press) {
      const { runId, key } = toStep(press);
      const [run, steps] = await Promise.all([store.find(runId), store.steps(runId)]);
      const isOpen =
        run?.finished_ms === null && steps.some((step) => step.step_key === key && step.state === "started");
      if (!isOpen) throw automationTexts.error("conflict", "choice_over");
    },
    async run(press, { inbound }) {
      const { runId, key } = toStep(press);
      const choice = inbound.text;
      await database().write([createChoiceWrite(runId, key, choice, clock.now())]);
      await jobs().add(CONTINUE_JOB, { run_id: runId }, { key: `${runId}:${key}` });
      return automationTexts.localized("choice_made", { choice });
    },
  };
}

/** Creates the kind of the jobs that continue a run: at once, or when it sleeps. */
export function createContinueJob({ runs, clock }: { readonly runs: Runs; readonly clock: Clock }): JobKind {
  return jobKind({
    kind: CONTINUE_JOB,
    titles: { en: "Continue a workflow after a choice", zh: "在作出选择后继续工作流" },
    schema: Joi.object<{ readonly run_id: string }, true>({ run_id: Joi.string().required() }),
    async run({ run_id }) {
      return (await runs.wake(run_id)) ? [] : { resumeAtMs: clock.now() + PAUSE_MS };
    },
  });
}
