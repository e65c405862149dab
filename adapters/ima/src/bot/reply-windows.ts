import { type Clock, deliveryFailure } from "@parley/core";

const DIRECT_WINDOW_MS = 60 * 60_000;
const GROUP_WINDOW_MS = 5 * 60_000;
const MAX_REPLIES = 5;
const MAX_WINDOWS = 10_000;

/** Messages that may still be answered: for a limited time, with five replies each. */
export interface ReplyWindows {
  open(messageId: string, isGroup: boolean): void;
  /**
   * The number of a reply: the same for the same delivery, so that a repeat is recognised. Throws `window_closed` when the
   * message can no longer be answered.
   */
  getReplyNumber(messageId: string, deliveryId: string): number;
}

export function createReplyWindows(clock: Pick<Clock, "now">): ReplyWindows {
  const windows = new Map<string, { readonly untilMs: number; readonly numbers: Map<string, number> }>();
  return {
    open(messageId, isGroup) {
      if (windows.has(messageId)) return;
      const [oldest] = windows.keys();
      if (windows.size >= MAX_WINDOWS && oldest !== undefined) windows.delete(oldest);
      windows.set(messageId, {
        untilMs: clock.now() + (isGroup ? GROUP_WINDOW_MS : DIRECT_WINDOW_MS),
        numbers: new Map(),
      });
    },
    getReplyNumber(messageId, deliveryId) {
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
