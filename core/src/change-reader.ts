import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "./errors.ts";

const READ_AGAIN_MS = 500;
/** Of more at once it is only said that any may have changed. */
const MOST_NAMED = 100;

/** Reads what others have changed. */
export interface ChangeReader {
  /** Undefined: any may have changed. */
  changed(key: string | undefined): void;
  end(): void;
}

/** One change after another, and again while storage cannot be read: what is old is not to be taken for new. */
export function createChangeReader(
  read: (key: string | undefined) => void | Promise<void>,
  failed: (error: unknown) => void,
): ChangeReader {
  const over = new AbortController();
  const waiting = new Set<string | undefined>();
  let isReading = false;
  const readOne = async (key: string | undefined) => {
    try {
      await read(key);
    } catch (error) {
      if (!AppError.is(error) || error.code !== "unavailable") return failed(error);
      waiting.add(key);
      await wait(READ_AGAIN_MS, undefined, { ref: false, signal: over.signal }).catch(() => {});
    }
  };
  const readAll = async () => {
    if (isReading) return;
    isReading = true;
    while (waiting.size > 0 && !over.signal.aborted) {
      const [key] = waiting.has(undefined) || waiting.size > MOST_NAMED ? [undefined] : waiting;
      if (key === undefined) waiting.clear();
      else waiting.delete(key);
      await readOne(key);
    }
    isReading = false;
  };
  return {
    changed(key) {
      waiting.add(key);
      void readAll();
    },
    end: () => over.abort(),
  };
}
