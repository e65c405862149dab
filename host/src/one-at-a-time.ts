import type { AppError } from "@parley/core";

/** Runs one work after another is done; what is asked for meanwhile is refused. */
export function oneAtATime(otherwise: () => AppError): <Made>(work: () => Promise<Made>) => Promise<Made> {
  let isBusy = false;
  return async (work) => {
    if (isBusy) throw otherwise();
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  };
}
