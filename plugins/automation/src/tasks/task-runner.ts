import { derivedId } from "@parley/core";
import type { Runner } from "../runs/run-job.ts";
import { askAsTurn, type RunTurnDeps } from "../runs/run-turn.ts";
import { automationTexts } from "../texts.ts";

/** Order of the run of a task. */
export interface TaskRunOrder {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly target_session_id: string | null;
}

/** Creates the task runner, which prompts the AI in the task's conversation. */
export function createTaskRunner(deps: RunTurnDeps): Runner {
  return async (run) => {
    const { id, name, prompt, target_session_id: target } = run.order as TaskRunOrder;
    const session =
      target === null
        ? await deps.sessions().openOwn({ id: derivedId("sess", id), type: "task", name })
        : await deps.sessions().find(target);
    if (!session) throw automationTexts.error("not_found", "session_gone");
    await run.setSession(session.id);
    const { text, state } = await askAsTurn(deps, run, {
      sessionId: session.id,
      text: prompt,
      source: "task_center",
      name,
    });
    if (state === "answered") return { result: text };
    if (state === "failed") throw automationTexts.error("conflict", "turn_is", { state });
    throw automationTexts.error("conflict", state === "blocked" ? "withheld" : `turn_${state}`);
  };
}
