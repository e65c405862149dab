import type { AppError } from "@parley/core";

/** Creates a function that runs one operation at a time and rejects calls while one is running. */
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
