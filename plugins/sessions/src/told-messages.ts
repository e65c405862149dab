import type { LiveEvents, Message } from "@parley/core";

/** Messages of one session, as those who look at it are told of them. */
export interface ToldMessages extends Disposable {
  /** The message; null when nobody was told of it within so many milliseconds. */
  of(messageId: string, withinMs: number): Promise<Message | null>;
}

/** Listens from now on, to all processes. */
export function toldMessages(events: Pick<LiveEvents, "watch">, sessionId: string): ToldMessages {
  const told = new Map<string, Message>();
  let arrived = () => {};
  const unwatch = events.watch((event) => {
    if (event.type !== "new_message" || event.session_id !== sessionId) return;
    const message = event.payload.message as Message;
    told.set(message.id, message);
    arrived();
  });
  return {
    of: (messageId, withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), withinMs);
        arrived = () => {
          const message = told.get(messageId);
          if (!message) return;
          clearTimeout(timer);
          resolve(message);
        };
        arrived();
      }),
    [Symbol.dispose]: unwatch,
  };
}
