/** A time limit on work that other signals can abort too. Dispose it after the work: `using limit = …`. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Restarts the time; no effect after an abort or disposal. */
  restart(): void;
  /** Removes the time limit; the signals still apply. */
  lift(): void;
}

/**
 * Creates a signal that aborts after `ms` milliseconds with a `TimeoutError`, or with the reason of the first aborted
 * one of `signals`. Unlike `AbortSignal.timeout` and `AbortSignal.any` it leaves nothing behind once disposed.
 */
export function deadline(ms: number, ...signals: readonly AbortSignal[]): Deadline {
  const controller = new AbortController();
  const follow = ({ target }: Event) => controller.abort((target as AbortSignal).reason);
  const timer = setTimeout(() => controller.abort(new DOMException("it took too long", "TimeoutError")), ms);
  timer.unref();
  let isOver = false;
  const release = () => {
    isOver = true;
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", follow);
  };
  const early = signals.find(({ aborted }) => aborted);
  if (early) {
    release();
    controller.abort(early.reason);
  } else for (const signal of signals) signal.addEventListener("abort", follow, { once: true });
  let isLifted = false;
  const restart = () => {
    if (!isOver && !isLifted && !controller.signal.aborted) timer.refresh();
  };
  const lift = () => {
    isLifted = true;
    clearTimeout(timer);
  };
  return { signal: controller.signal, restart, lift, [Symbol.dispose]: release };
}
