import { AppError, explainedAs, isStorageBusy, type Localized, type Logger, toldFailure } from "@parley/core";
import type { FailPoint } from "./fail-point.ts";
import { endItem, type ItemEndParts } from "./item-end.ts";
import { entryFor } from "./item-entry.ts";
import { STOPPING } from "./shutdown.ts";
import type { Claimed, WaitingItem } from "./store/inbox.ts";
import type { GatewayStore } from "./store.ts";
import type { TaskWork } from "./task-work.ts";
import { once } from "./tool-once.ts";
import { noOutcome } from "./turn-outcome.ts";

export interface TaskItemParts extends ItemEndParts {
  readonly store: GatewayStore;
  readonly tasks: Pick<TaskWork, "run">;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
}

const TASK_FAILED: Localized = { en: "the task failed", zh: "任务失败" };

/** A task runs like a turn, without its stages. */
export async function runTask(parts: TaskItemParts, item: WaitingItem, claimed: Claimed, signal: AbortSignal) {
  const { store, failPoint, tasks, logger } = parts;
  const { traceId, id: itemId } = item;
  const { message, fence } = claimed;
  const call = { store, failPoint, traceId };
  const noted = { noted: { type: "internal_task" } };
  const entry = entryFor(item, message);
  const context = { traceId, signal, once: <T>(key: string, run: () => Promise<T>) => once({ ...call, key }, run) };
  try {
    await tasks.run(message, context);
    const done = { ...entry("completed", "the task is done"), ...noted };
    return await endItem(parts, { itemId, fence, state: "done", outcome: noOutcome(traceId, "answered"), entry: done });
  } catch (error) {
    if (signal.reason === STOPPING) return {};
    // Its place in the queue is given back, and it runs again when storage works.
    if (isStorageBusy(error)) throw error;
    const failure = AppError.is(error) ? error : explainedAs("internal", "gateway.task_failed", TASK_FAILED);
    const { code, message: text } = failure;
    if (!AppError.is(error)) logger.error("a task failed", { traceId, error });
    const failed = { ...entry("failed", text, failure), ...noted };
    const outcome = noOutcome(traceId, "failed", toldFailure(failure));
    return await endItem(parts, { itemId, fence, state: "failed", outcome, entry: failed, cause: code });
  }
}
