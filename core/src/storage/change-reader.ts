import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "../errors.ts";

const RETRY_AFTER_MS = 500;
/** Of more at once it is only said that any may have changed. */
const MAX_NAMED_CHANGES = 100;

/** Reads what others have changed. */
export interface ChangeReader {
  /** Undefined: any may have changed. */
  changed(key: string | undefined): void;
  end(): void;
}

/** One change after another, and again while storage cannot be read: what is old is not to be taken for new. */
export function createChangeReader(
  read: (key: string | undefined) => void | Promise<void>,
  onError: (error: unknown) => void,
): ChangeReader {
  const stopping = new AbortController();
  const pendingKeys = new Set<string | undefined>();
  let isReading = false;
  const readOne = async (key: string | undefined) => {
    try {
      await read(key);
    } catch (error) {
      if (!AppError.is(error) || error.code !== "unavailable") return onError(error);
      pendingKeys.add(key);
      await wait(RETRY_AFTER_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    }
  };
  const readAll = async () => {
    if (isReading) return;
    isReading = true;
    while (pendingKeys.size > 0 && !stopping.signal.aborted) {
      const [key] = pendingKeys.has(undefined) || pendingKeys.size > MAX_NAMED_CHANGES ? [undefined] : pendingKeys;
      if (key === undefined) pendingKeys.clear();
      else pendingKeys.delete(key);
      await readOne(key);
    }
    isReading = false;
  };
  return {
    changed(key) {
      pendingKeys.add(key);
      void readAll();
    },
    end: () => stopping.abort(),
  };
}
