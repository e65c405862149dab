import { AsyncLocalStorage } from "node:async_hooks";
import type { ChannelIo, InboundPress } from "@parley/core";

/** Properties of the events that a request brings. */
export interface ChatEvents {
  /** The body as received, for the trace. */
  readonly raw: unknown;
  /** Distinguishes the edits of a message: the messages of the request are then edits, although the package calls them new. */
  readonly edition?: string;
  /** Time in which the platform may be asked while messages are parsed; default 1.5 s. */
  readonly lookupMs?: number;
}

/** The work that one webhook request has started: all of it is stored before the request is acknowledged. */
export interface RequestWork {
  readonly accept: ChannelIo["accept"];
  /** Hands over a press, and notes why it was refused. */
  press(press: InboundPress): Promise<void>;
  /** Returns the reason for which a press was refused; empty for none. */
  refusal(): string;
  readonly events: ChatEvents;
  /** Ends what is asked of the platform while messages are parsed, such as a name: the message is worth more than that. */
  readonly lookups: AbortSignal;
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

export function createRequestWork(io: Pick<ChannelIo, "accept" | "press">, events: ChatEvents): RequestWork {
  const tasks: Promise<unknown>[] = [];
  const keys = new Set<string>();
  let refusal = "";
  // The turn and its answer belong to the message, not to the request, nor to what the package remembers of it.
  const runOutside = AsyncLocalStorage.snapshot();
  return {
    accept: (message) => runOutside(() => io.accept(message)),
    async press(press) {
      const pressed = await runOutside(async () => io.press?.(press));
      refusal = pressed?.refusal ?? refusal;
    },
    refusal: () => refusal,
    events,
    lookups: AbortSignal.timeout(events.lookupMs ?? LOOKUP_MS),
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
