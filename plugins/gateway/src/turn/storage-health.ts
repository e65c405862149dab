import { AppError } from "@parley/core";

/** Why the storage took nothing the last time it was asked. */
export interface StorageHealth {
  /** Undefined: it works. */
  getError(): string | undefined;
  markHealthy(): void;
  markFailed(error: Error): void;
  /** Notes what came of writing. */
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
        // What was refused for what it is says nothing about the storage.
        if (!AppError.is(error) || error.code !== "unauthorized") markFailed(error);
      }),
  };
}
