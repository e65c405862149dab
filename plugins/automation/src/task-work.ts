import { AppError, derivedId } from "@parley/core";
import type { RunWork } from "./run-job.ts";
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
    if (!session) throw new AppError("not_found", "session not found");
    await run.inSession(session.id);
    const { text, state } = await askAsTurn(parts, run, {
      sessionId: session.id,
      text: prompt,
      source: "task_center",
      name,
    });
    if (state !== "answered") throw new AppError("conflict", WHY[state] ?? `the turn is ${state}`);
    return { result: text };
  };
}

const WHY: Readonly<Record<string, string>> = {
  blocked: "the filter withholds it",
  stopped: "somebody stopped the answer",
  expired: "it waited too long for its turn",
  ignored: "nobody answered it",
};
