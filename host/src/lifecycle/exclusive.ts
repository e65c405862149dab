import type { AppError } from "@parley/core";

/** Runs one piece of work at a time; calls made meanwhile are rejected. */
export function createExclusive(createBusyError: () => AppError): <Made>(work: () => Promise<Made>) => Promise<Made> {
  let isBusy = false;
  return async (work) => {
    if (isBusy) throw createBusyError();
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  };
}
