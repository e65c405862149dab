import { AppError } from "@parley/core";

/** Why the storage took nothing the last time it was asked. */
export interface StorageTrouble {
  /** Undefined: it works. */
  reason(): string | undefined;
  works(): void;
  fails(error: Error): void;
  /** Notes what came of writing. */
  watch(result: Promise<unknown>): void;
}

export function createStorageTrouble(): StorageTrouble {
  let reason: string | undefined;
  const works = () => {
    reason = undefined;
  };
  const fails = ({ message }: Error) => {
    reason = message;
  };
  return {
    reason: () => reason,
    works,
    fails,
    watch: (result) =>
      void result.then(works, (error) => {
        // What was refused for what it is says nothing about the storage.
        if (!AppError.is(error) || error.code !== "unauthorized") fails(error);
      }),
  };
}
