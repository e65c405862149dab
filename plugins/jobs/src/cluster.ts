import type { Database, Logger, Nodes, Signals, Write } from "@parley/core";
import { createChangeReader } from "@parley/core/storage";
import type { Dispatcher } from "./run/dispatcher.ts";
import type { Scheduler } from "./schedule/scheduler.ts";

const TOPIC = "jobs";
const BROADCAST_DELAY_MS = 50;

interface ClusterListener {
  /** Called when a job of the kind waits and its process has no capacity; undefined stands for any kind. */
  onWaiting(kind: string | undefined): void;
  /** Called when the job is asked to end. */
  onCanceled(jobId: string): void;
  /** Called when the next time of a schedule may have changed. */
  onScheduleChanged(): void;
}

/** Cluster signals between processes that run the same jobs. Missed signals are found by polling a few seconds later. */
export interface JobsCluster {
  /** Announces to other processes that a job of the kind waits, since this one has no capacity. */
  broadcastWaiting(kind: string): void;
  /** Returns the writes that signal a cancellation, for its transaction. */
  toCancelWrites(jobId: string): readonly Write[];
  /** Returns the writes that signal a changed schedule, for its transaction. */
  toScheduleChangeWrites(scheduleId: string): readonly Write[];
  listen(listener: ClusterListener): () => void;
}

export interface JobsClusterDeps {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

export function createJobsCluster({ database, signals, log }: JobsClusterDeps): JobsCluster {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const toSignalWrites = (what: string, which: string) =>
    signals()?.telling([{ topic: TOPIC, key: `${what} ${which}` }]) ?? [];
  const flush = async () => {
    timer = undefined;
    const writes = [...waiting].flatMap((kind) => toSignalWrites("waits", kind));
    waiting.clear();
    if (writes.length > 0) await database().write(writes);
  };
  return {
    broadcastWaiting(kind) {
      if (!signals()?.isShared) return;
      waiting.add(kind);
      timer ??= setTimeout(
        () =>
          void flush().catch((error) => log.debug("waiting jobs could not be announced to other processes", { error })),
        BROADCAST_DELAY_MS,
      );
    },
    toCancelWrites: (jobId) => toSignalWrites("cancel", jobId),
    toScheduleChangeWrites: (scheduleId) => toSignalWrites("planned", scheduleId),
    listen(listener) {
      const reader = createChangeReader(
        (key) => {
          const [what, which = ""] = key?.split(" ", 2) ?? [];
          if (what === undefined || what === "waits") listener.onWaiting(what && which);
          if (what === undefined || what === "planned") listener.onScheduleChanged();
          if (what === "cancel") listener.onCanceled(which);
        },
        (error) => log.error("a job change of another process could not be handled", { error }),
      );
      const end = signals()?.listen(TOPIC, reader.changed);
      return () => {
        clearTimeout(timer);
        end?.();
        reader.end();
      };
    },
  };
}

/** Applies changes of other processes; the returned function stops that. */
export function followCluster(
  { cluster, dispatcher, scheduler }: { cluster: JobsCluster; dispatcher: Dispatcher; scheduler: Scheduler },
  nodes: Nodes | undefined,
): () => void {
  const stopListening = cluster.listen({
    onWaiting: dispatcher.wake,
    onCanceled: (id) => void dispatcher.cancel(id),
    onScheduleChanged: scheduler.wake,
  });
  const stopDraining = nodes?.onDraining(() => dispatcher.wake());
  return () => {
    stopListening();
    stopDraining?.();
  };
}
