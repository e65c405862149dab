/** Resolves to the result of the work, or to `fallback` (default: undefined) when it takes longer than `ms`; rejects as the work does. */
export async function resolveWithin<Result>(work: PromiseLike<Result>, ms: number): Promise<Result | undefined>;
export async function resolveWithin<Result, Fallback>(
  work: PromiseLike<Result>,
  ms: number,
  fallback: Fallback,
): Promise<Result | Fallback>;
export async function resolveWithin(work: PromiseLike<unknown>, ms: number, fallback?: unknown): Promise<unknown> {
  const { promise: late, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(resolve, ms, fallback);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to true when the work ends within `ms`, else to false; rejects as the work does. */
export function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const ended = work.then(() => true);
  return resolveWithin(ended, ms, false);
}

/** Settles as the work does, or rejects with `createError()` when it takes longer than `ms`. */
export async function rejectAfter<Result>(
  work: PromiseLike<Result>,
  ms: number,
  createError: () => Error,
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(createError()), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after `ms`, or as soon as the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish, { once: true });
  });
}
