/**
 * Settles as `work` does, or rejects with the reason of `signal` when the work has not ended `graceMs` after an abort,
 * because third-party code may ignore its signal. With the default 0 an abort always rejects with that reason.
 */
export async function raceWithSignal<Result>(
  work: PromiseLike<Result>,
  signal: AbortSignal,
  graceMs = 0,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onAbort = () => {
    if (graceMs === 0) reject(signal.reason);
    else timer = setTimeout(() => reject(signal.reason), graceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw signal.aborted && graceMs === 0 ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
