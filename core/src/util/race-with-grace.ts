/**
 * Settles as `work` does, or rejects with the reason of `signal` when the work has not ended `graceMs` after an abort, because
 * third-party code may ignore its signal.
 */
export async function raceWithGrace<Result>(
  work: PromiseLike<Result>,
  signal: AbortSignal,
  graceMs: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const startGrace = () => {
    timer = setTimeout(() => reject(signal.reason), graceMs);
  };
  if (signal.aborted) startGrace();
  else signal.addEventListener("abort", startGrace, { once: true });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", startGrace);
  }
}
