import { createChangeReader, type Database, type Logger, type Signals, type Write } from "@parley/core";

const TOPIC = "jobs";
const TELL_WITHIN_MS = 50;
/** What is counted here of the others' jobs is counted anew so often. */
export const RECOUNT_EVERY_MS = 10_000;

interface Heard {
  /** Something of the kind waits, and a process has no room for it; undefined: of any kind. */
  waits(kind: string | undefined): void;
  /** Somebody wants it to end. */
  canceled(jobId: string): void;
  /** The next time of a schedule may be another one. */
  planned(): void;
}

/** The processes that run the same jobs. What is not told here is found by looking, a few seconds later. */
export interface OtherProcesses {
  /** This process has no room for more of the kind: one that has may take it. */
  tellWaiting(kind: string): void;
  /** For the transaction that asks for it. */
  cancelling(jobId: string): readonly Write[];
  /** For the transaction that plans it. */
  planning(scheduleId: string): readonly Write[];
  listen(heard: Heard): () => void;
}

export interface OtherProcessesParts {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

export function createOtherProcesses({ database, signals, log }: OtherProcessesParts): OtherProcesses {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const told = (what: string, which: string) => signals()?.telling([{ topic: TOPIC, key: `${what} ${which}` }]) ?? [];
  const tell = async () => {
    timer = undefined;
    const writes = [...waiting].flatMap((kind) => told("waits", kind));
    waiting.clear();
    if (writes.length > 0) await database().write(writes);
  };
  return {
    tellWaiting(kind) {
      if (!signals()?.isShared) return;
      waiting.add(kind);
      timer ??= setTimeout(
        () => void tell().catch((error) => log.debug("others were not told of jobs that wait", { error })),
        TELL_WITHIN_MS,
      );
    },
    cancelling: (jobId) => told("cancel", jobId),
    planning: (scheduleId) => told("planned", scheduleId),
    listen(heard) {
      const reader = createChangeReader(
        (key) => {
          const [what, which = ""] = key?.split(" ", 2) ?? [];
          if (what === undefined || what === "waits") heard.waits(what && which);
          if (what === undefined || what === "planned") heard.planned();
          if (what === "cancel") heard.canceled(which);
        },
        (error) => log.error("what others told of jobs was not heeded", { error }),
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
