import { monitorEventLoopDelay } from "node:perf_hooks";

const LOOK_EVERY_MS = 10_000;
const LATE_MS = 200;

/** Watches the event loop: while it is late for ten seconds there should be fewer turns at once. */
export interface Overload extends Disposable {
  is(): boolean;
}

export function watchOverload(changed: (isOverloaded: boolean, lateMs: number) => void): Overload {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let isOverloaded = false;
  const timer = setInterval(() => {
    const lateMs = delay.percentile(99) / 1e6;
    delay.reset();
    if (lateMs > LATE_MS === isOverloaded) return;
    isOverloaded = !isOverloaded;
    changed(isOverloaded, lateMs);
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    is: () => isOverloaded,
    [Symbol.dispose]() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
