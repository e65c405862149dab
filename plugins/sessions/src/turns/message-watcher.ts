import type { LiveEvents, Message } from "@parley/core";

/** Messages of one session, as those who look at it are told of them. */
export interface MessageWatcher extends Disposable {
  /** The message; null when nobody was told of it within so many milliseconds. */
  waitFor(messageId: string, withinMs: number): Promise<Message | null>;
}

/** Listens from now on, to all processes. */
export function watchMessages(events: Pick<LiveEvents, "watch">, sessionId: string): MessageWatcher {
  const received = new Map<string, Message>();
  let onReceived = () => {};
  const unwatch = events.watch((event) => {
    if (event.type !== "new_message" || event.session_id !== sessionId) return;
    const message = event.payload.message as Message;
    received.set(message.id, message);
    onReceived();
  });
  return {
    waitFor: (messageId, withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), withinMs);
        onReceived = () => {
          const message = received.get(messageId);
          if (!message) return;
          clearTimeout(timer);
          resolve(message);
        };
        onReceived();
      }),
    [Symbol.dispose]: unwatch,
  };
}
