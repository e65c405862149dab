import { derivedId } from "@parley/core";
import type { RunWork } from "./run-job.ts";
import { automationFailure } from "./said-failures.ts";
import { askAsTurn, type TurnOfRunParts } from "./turn-of-run.ts";

/** What a run of a task works with. */
export interface TaskOrderOf {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly target_session_id: string | null;
}

/** Asks the AI what the task says, in its conversation. */
export function taskWork(parts: TurnOfRunParts): RunWork {
  return async (run) => {
    const { id, name, prompt, target_session_id: target } = run.order as TaskOrderOf;
    const session =
      target === null
        ? await parts.sessions().openOwn({ id: derivedId("sess", id), type: "task", name })
        : await parts.sessions().find(target);
    if (!session) throw automationFailure("not_found", "session_gone");
    await run.inSession(session.id);
    const { text, state } = await askAsTurn(parts, run, {
      sessionId: session.id,
      text: prompt,
      source: "task_center",
      name,
    });
    if (state === "answered") return { result: text };
    if (state === "failed") throw automationFailure("conflict", "turn_is", { state });
    throw automationFailure("conflict", state === "blocked" ? "withheld" : `turn_${state}`);
  };
}
