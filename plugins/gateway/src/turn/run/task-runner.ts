import {
  AppError,
  derivedId,
  type InboundMessage,
  notFound,
  type TaskContext,
  type TaskKind,
  type TaskOrder,
} from "@parley/core";

/** Channel id of internal tasks. */
export const INTERNAL_CHANNEL = "internal";

/** Runs tasks that are stored as messages of the inbox. */
export interface TaskRunner {
  /** Builds the message that starts a task. Rejects with `not_found` when no plugin has such a task. */
  toMessage(order: TaskOrder): Promise<InboundMessage>;
  run(message: InboundMessage, context: Pick<TaskContext, "traceId" | "signal" | "once">): Promise<void>;
}

export function toRunId(traceId: string): string {
  return derivedId("run", traceId);
}

export function createTaskRunner(kinds: () => readonly TaskKind[]): TaskRunner {
  const findKind = ({ kind, taskId }: Pick<TaskOrder, "kind" | "taskId">): TaskKind => {
    const found = kinds().find((one) => one.kind === kind);
    if (!found) throw notFound(kind, taskId);
    return found;
  };
  return {
    async toMessage(order) {
      const { kind, taskId, trigger, plannedAt } = order;
      if (!(await findKind(order).has(taskId))) throw notFound(kind, taskId);
      return {
        channelId: INTERNAL_CHANNEL,
        sessionId: `${INTERNAL_CHANNEL}:${kind}:${taskId}`,
        conversation: { id: taskId, isGroup: false },
        kind: "task",
        sender: { id: trigger, name: trigger, isAdmin: false },
        text: "",
        attachments: [],
        addressed: true,
        source: trigger,
        task: order,
        ...(plannedAt !== undefined && { dedupeKey: `${kind}:${taskId}:${plannedAt}` }),
      };
    },
    async run({ task }, { traceId, signal, once }) {
      if (!task) throw new AppError("internal", "a task without its order");
      const { trigger, metadata, taskId } = task;
      await findKind(task).run(taskId, { traceId, runId: toRunId(traceId), trigger, metadata, signal, once });
    },
  };
}
