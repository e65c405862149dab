import { AppError, isStorageBusy, type Logger, toItemFailure, toLocalizedError } from "@parley/core";
import type { FailPoint } from "../../fail-point.ts";
import { createLogEntryBuilder } from "../../observe/message-log-entry.ts";
import type { GatewayStore } from "../../store/gateway-store.ts";
import type { ClaimedMessage, QueueItem } from "../../store/inbox.ts";
import { gatewayTexts } from "../../texts.ts";
import { type FinishMessageDeps, finishMessage } from "../finish-message.ts";
import { STOPPING } from "../shutdown.ts";
import { createEmptyOutcome } from "../turn-outcome.ts";
import { runOnce } from "./run-once.ts";
import type { TaskRunner } from "./task-runner.ts";

export interface ProcessTaskDeps extends FinishMessageDeps {
  readonly store: GatewayStore;
  readonly tasks: Pick<TaskRunner, "run">;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
}

/** Processes a message that starts a task: it runs like a turn, but without stages. */
export async function processTask(
  deps: ProcessTaskDeps,
  item: QueueItem,
  claimed: ClaimedMessage,
  signal: AbortSignal,
) {
  const { store, failPoint, tasks, logger } = deps;
  const { traceId, id: itemId } = item;
  const { message, fence } = claimed;
  const call = { store, failPoint, traceId };
  const taskOverrides = { overrides: { type: "internal_task" } };
  const entry = createLogEntryBuilder(item, message);
  const context = { traceId, signal, once: <T>(key: string, run: () => Promise<T>) => runOnce({ ...call, key }, run) };
  try {
    await tasks.run(message, context);
    const done = { ...entry("completed", gatewayTexts.message("trace_task_done")), ...taskOverrides };
    return await finishMessage(deps, {
      itemId,
      fence,
      state: "done",
      outcome: createEmptyOutcome(traceId, "answered"),
      entry: done,
    });
  } catch (error) {
    if (signal.reason === STOPPING) return {};
    // The message returns to the queue and runs again when the storage works.
    if (isStorageBusy(error)) throw error;
    const failure = AppError.is(error) ? error : gatewayTexts.error("internal", "task_failed");
    const { code } = failure;
    if (!AppError.is(error)) logger.error("a task failed", { traceId, error });
    const failed = { ...entry("failed", toItemFailure(failure), failure), ...taskOverrides };
    const outcome = createEmptyOutcome(traceId, "failed", toLocalizedError(failure));
    return await finishMessage(deps, { itemId, fence, state: "failed", outcome, entry: failed, cause: code });
  }
}
