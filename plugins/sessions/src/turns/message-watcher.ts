import type { LiveEvents, Message } from "@parley/core";

/** Watches for the published messages of a session. */
export interface MessageWatcher extends Disposable {
  /** Resolves to the message; null when it was not published within `withinMs` milliseconds. */
  waitFor(messageId: string, withinMs: number): Promise<Message | null>;
}

/** Starts to watch for messages that any process publishes. */
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
