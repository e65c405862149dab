import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "../errors.ts";

const RETRY_AFTER_MS = 500;
/** Maximum count of named changes; above it, all records count as changed. */
const MAX_NAMED_CHANGES = 100;

/** Reads changes made elsewhere. */
export interface ChangeReader {
  /** Reads a changed key again, or all of them without a key; resolves once they are read. */
  changed(key: string | undefined): Promise<void>;
  end(): void;
}

/** Reads changes one after another and retries while storage is unavailable, so that outdated content never counts as new. */
export function createChangeReader(
  read: (key: string | undefined) => void | Promise<void>,
  onError: (error: unknown) => void,
): ChangeReader {
  const stopping = new AbortController();
  const pendingKeys = new Set<string | undefined>();
  let reading: Promise<void> | undefined;
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
    while (pendingKeys.size > 0 && !stopping.signal.aborted) {
      const [key] = pendingKeys.has(undefined) || pendingKeys.size > MAX_NAMED_CHANGES ? [undefined] : pendingKeys;
      if (key === undefined) pendingKeys.clear();
      else pendingKeys.delete(key);
      await readOne(key);
    }
    reading = undefined;
  };
  return {
    changed(key) {
      pendingKeys.add(key);
      reading ??= readAll();
      return reading;
    },
    end: () => stopping.abort(),
  };
}
