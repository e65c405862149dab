import { type Clock, deliveryFailure, type OutboundMessage } from "@parley/core";

const DIRECT_WINDOW_MS = 60 * 60_000;
const GROUP_WINDOW_MS = 5 * 60_000;
const MAX_REPLIES = 5;
const MAX_WINDOWS = 10_000;

/** Messages that may still be answered: for a limited time, with five replies each. */
export interface ReplyWindows {
  open(messageId: string, isGroup: boolean): void;
  /**
   * Returns the number of a reply: the same only for the same delivery, so that the platform recognises a repeat. The
   * parts of an answer are numbered from 1, also after a restart between them. Throws `window_closed`.
   */
  getReplyNumber(messageId: string, { deliveryId, part }: Pick<OutboundMessage, "deliveryId" | "part">): number;
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
    getReplyNumber(messageId, { deliveryId, part }) {
      // The platform decides about a message from before a restart.
      open(messageId, false);
      const window = windows.get(messageId);
      if (window && window.untilMs < clock.now()) throw deliveryFailure("window_closed", "window_over", {});
      const numbers = window?.numbers ?? new Map<string, number>();
      const before = numbers.get(deliveryId);
      if (before !== undefined) return before;
      const next = Math.max(part, 1 + Math.max(0, ...numbers.values()));
      if (next > MAX_REPLIES) throw deliveryFailure("window_closed", "window_used", {});
      numbers.set(deliveryId, next);
      return next;
    },
  };
}
