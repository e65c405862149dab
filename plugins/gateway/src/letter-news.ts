import { type LiveEvents, resourceChanged } from "@parley/core";

const EVERY_MS = 250;

/** Notifies who looks at what was given up that there is more of it, or less: a few times a second at most. */
export interface LetterNews extends Disposable {
  /** Called once the change is stored. */
  changed(): void;
}

export function createLetterNews(events: Pick<LiveEvents, "publish">): LetterNews {
  let timer: NodeJS.Timeout | undefined;
  const publish = () => {
    timer = undefined;
    events.publish(resourceChanged("dead_letter", "*", "updated"));
  };
  return {
    changed() {
      timer ??= setTimeout(publish, EVERY_MS);
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
    },
  };
}
