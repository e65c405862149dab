import { type LiveEvents, resourceChanged } from "@parley/core";

const EVERY_MS = 500;
const MOST = 20;

/** Tells those who watch that jobs changed: at most twice a second, and of many at once that it is many. */
export interface JobEvents extends Disposable {
  changed(jobId: string): void;
}

export function createJobEvents(events: LiveEvents): JobEvents {
  const ids = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    const told = ids.size > MOST ? ["*"] : [...ids];
    ids.clear();
    // Nothing is lost by one that is missed: whoever looks again sees what is stored.
    for (const id of told) events.publish({ ...resourceChanged("job", id, "updated"), durable: false });
  };
  return {
    changed(jobId) {
      if (ids.size <= MOST) ids.add(jobId);
      timer ??= setTimeout(tell, EVERY_MS);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
