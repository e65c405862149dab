import { type LiveEvents, resourceChanged } from "@parley/core";

const MIN_INTERVAL_MS = 250;

/** Notifies clients that dead letters changed, a few times a second at most. */
export interface DeadLetterNotifier extends Disposable {
  /** Called when a change is stored. */
  notifyChanged(): void;
}

export function createDeadLetterNotifier(events: Pick<LiveEvents, "publish">): DeadLetterNotifier {
  let timer: NodeJS.Timeout | undefined;
  const publish = () => {
    timer = undefined;
    events.publish(resourceChanged("dead_letter", "*", "updated"));
  };
  return {
    notifyChanged() {
      timer ??= setTimeout(publish, MIN_INTERVAL_MS);
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
    },
  };
}
