import { type Clock, deliveryFailure } from "@parley/core";

const DIRECT_WINDOW_MS = 60 * 60_000;
const GROUP_WINDOW_MS = 5 * 60_000;
const MAX_REPLIES = 5;
const MAX_WINDOWS = 10_000;

/** Messages that may still be answered: for a limited time, with five replies each. */
export interface ReplyWindows {
  open(messageId: string, isGroup: boolean): void;
  /** Returns the number of a reply: the same only for the same delivery, so that the platform recognises a repeat. Throws `window_closed`. */
  getReplyNumber(messageId: string, deliveryId: string): number;
}

export function createReplyWindows(clock: Pick<Clock, "now">): ReplyWindows {
  const windows = new Map<string, { readonly untilMs: number; readonly numbers: Map<string, number> }>();
  const open = (messageId: string, isGroup: boolean) => {
    if (windows.has(messageId)) return;
    const [oldest] = windows.keys();
    if (windows.size >= MAX_WINDOWS && oldest !== undefined) windows.delete(oldest);
    const untilMs = clock.now() + (isGroup ? GROUP_WINDOW_MS : DIRECT_WINDOW_MS);
    windows.set(messageId, { untilMs, numbers: new Map() });
  };
  return {
    open,
    getReplyNumber(messageId, deliveryId) {
      // The platform decides about a message from before a restart.
      open(messageId, false);
      const window = windows.get(messageId);
      if (window && window.untilMs < clock.now()) throw deliveryFailure("window_closed", "window_over", {});
      const numbers = window?.numbers ?? new Map<string, number>();
      const before = numbers.get(deliveryId);
      if (before !== undefined) return before;
      if (numbers.size >= MAX_REPLIES) throw deliveryFailure("window_closed", "window_used", {});
      numbers.set(deliveryId, numbers.size + 1);
      return numbers.size;
    },
  };
}
