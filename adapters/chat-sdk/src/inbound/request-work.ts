import { AsyncLocalStorage } from "node:async_hooks";
import type { ChannelIo } from "@parley/core";

/** The work that one webhook request has started: all of it is stored before the request is acknowledged. */
export interface RequestWork {
  readonly accept: ChannelIo["accept"];
  /** Ends what is asked of the platform while messages are parsed, such as a name: the message is worth more than that. */
  readonly lookups: AbortSignal;
  /** The body as received, for the trace. */
  readonly raw: unknown;
  /** Adds a task; its failure is reported by `settle`. */
  add(task: Promise<unknown>): void;
  /** Resolves when all tasks have ended, those that were added meanwhile included; rejects with the first failure. */
  settle(): Promise<void>;
  /** Notes a key of the adapter's state that the request has set. */
  note(key: string): void;
  /** The keys to forget when the request is not acknowledged: otherwise the platform's repeat would count as seen. */
  readonly keys: ReadonlySet<string>;
}

/** The request whose work is running. */
export const currentWork: AsyncLocalStorage<RequestWork> = new AsyncLocalStorage();

const LOOKUP_MS = 1_500;

export function createRequestWork(accept: ChannelIo["accept"], raw: unknown): RequestWork {
  const tasks: Promise<unknown>[] = [];
  const keys = new Set<string>();
  return {
    // The turn and its answer belong to the message, not to the request.
    accept: (message) => currentWork.exit(() => accept(message)),
    raw,
    lookups: AbortSignal.timeout(LOOKUP_MS),
    keys,
    note: (key) => void keys.add(key),
    add(task) {
      task.catch(() => undefined);
      tasks.push(task);
    },
    async settle() {
      for (let at = 0; at < tasks.length; at += 1) await tasks[at];
    },
  };
}
