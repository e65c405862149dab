import { AppError } from "@parley/core";

/** Tracks the last error of the storage. */
export interface StorageHealth {
  /** Returns the last error; undefined while the storage works. */
  getError(): string | undefined;
  markHealthy(): void;
  markFailed(error: Error): void;
  /** Observes whether a write succeeds. */
  watchWrite(result: Promise<unknown>): void;
}

export function createStorageHealth(): StorageHealth {
  let errorMessage: string | undefined;
  const markHealthy = () => {
    errorMessage = undefined;
  };
  const markFailed = ({ message }: Error) => {
    errorMessage = message;
  };
  return {
    getError: () => errorMessage,
    markHealthy,
    markFailed,
    watchWrite: (result) =>
      void result.then(markHealthy, (error) => {
        // A used nonce and a second press are no failures of the storage.
        if (!AppError.is(error) || !["unauthorized", "conflict"].includes(error.code)) markFailed(error);
      }),
  };
}
