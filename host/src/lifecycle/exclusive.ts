import type { AppError } from "@parley/core";

/** Runs one operation at a time; concurrent calls are rejected. */
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
