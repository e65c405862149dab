import { monitorEventLoopDelay } from "node:perf_hooks";

const SAMPLE_EVERY_MS = 10_000;
const LATE_MS = 200;

/** Watches the event loop. It is overloaded while one in 100 delays of ten seconds exceeds 200 ms; fewer turns should run then. */
export interface OverloadMonitor extends Disposable {
  isOverloaded(): boolean;
}

export function startOverloadMonitor(onChanged: (isOverloaded: boolean, lateMs: number) => void): OverloadMonitor {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let isOverloaded = false;
  const timer = setInterval(() => {
    const lateMs = delay.percentile(99) / 1e6;
    delay.reset();
    if (lateMs > LATE_MS === isOverloaded) return;
    isOverloaded = !isOverloaded;
    onChanged(isOverloaded, lateMs);
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    isOverloaded: () => isOverloaded,
    [Symbol.dispose]() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
