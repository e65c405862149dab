import { type LiveEvents, resourceChanged } from "@parley/core";

const THROTTLE_MS = 500;
const MAX_IDS = 20;

/** Notifies viewers of changed jobs: at most twice a second, and in bulk when many changed. */
export interface JobEvents extends Disposable {
  notifyChanged(jobId: string): void;
}

export function createJobEvents(events: LiveEvents): JobEvents {
  const ids = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const publish = () => {
    timer = undefined;
    const keys = ids.size > MAX_IDS ? ["*"] : [...ids];
    ids.clear();
    // A missed event does no harm, because a reload shows the stored state.
    for (const id of keys) events.publish({ ...resourceChanged("job", id, "updated"), durable: false });
  };
  return {
    notifyChanged(jobId) {
      if (ids.size <= MAX_IDS) ids.add(jobId);
      timer ??= setTimeout(publish, THROTTLE_MS);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
