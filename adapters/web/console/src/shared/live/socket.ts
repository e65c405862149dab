import { toAccountKey } from "../account-storage.ts";
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionPhase,
  createConnectionState,
  type OutgoingMessage,
  stepConnection,
} from "./connection.ts";
import type { Frame } from "./conversation.ts";

const PING_AFTER_MS = 20_000;
const TIMEOUT_MS = 40_000;

/** Browser dependencies of the connection. */
export interface LiveSocketOptions {
  readonly url: string;
  /** Storages for unsent messages; the first one with room is used. */
  readonly storages: readonly Storage[];
  /** In which the console is read now. */
  readonly language: () => string;
  /** Resolves to true while the login is valid; rejects when the service is unreachable. */
  readonly isSignedIn: () => Promise<boolean>;
  /** The login has ended; drafts and unsent messages stay. */
  readonly onSignedOut: () => void;
}

export interface LiveSocket {
  readonly phase: () => ConnectionPhase;
  join(sessionId: string): void;
  leave(sessionId: string): void;
  /** Subscribes to the rows of a topic; the returned function unsubscribes. */
  watch(topic: string): () => void;
  /** Sends a message; stored until the service acknowledges it, also across a reload. */
  send(message: OutgoingMessage): void;
  /** Drops an unsent or rejected message. */
  discard(tempId: string): void;
  listUnsent(sessionId: string): readonly OutgoingMessage[];
  /** Requests the partial reply of a stream that lost a chunk. */
  rejoin(sessionId: string): void;
  subscribe(listener: (frame: Frame) => void): () => void;
  onPhase(listener: () => void): () => void;
  /** Reconnects after the same user signed in again, and sends the unsent messages. */
  onSignedIn(): void;
  close(): void;
}

/** Opens the socket of the console, which reconnects by itself and catches up on missed events. */
export function openLiveSocket({ url, storages, language, isSignedIn, onSignedOut }: LiveSocketOptions): LiveSocket {
  const listeners = new Set<(frame: Frame) => void>();
  const phaseListeners = new Set<() => void>();
  // Whoever signs in next is another: what is kept stays where it was.
  const unsent = toAccountKey("unsent");
  const unsentKey = (tempId: string) => unsent + tempId;
  let link = createConnectionState(storages.flatMap((storage) => loadOutbox(storage, unsent)));
  let socket: WebSocket | undefined;
  let retry: number | undefined;
  let silence: number | undefined;

  const step = (event: ConnectionEvent) => {
    const before = link.phase;
    const [next, effects] = stepConnection(link, event);
    link = next;
    for (const effect of effects) act(effect);
    if (link.phase !== before) for (const listener of phaseListeners) listener();
  };
  const act = (effect: ConnectionEffect) => {
    switch (effect.type) {
      case "open":
        return open();
      case "close":
        return socket?.close();
      case "send":
        return socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(effect.frame));
      case "notify":
        for (const listener of listeners) listener(effect.frame);
        return;
      case "wait":
        window.clearTimeout(retry);
        retry = window.setTimeout(() => step({ type: "retry" }), randomBetween(effect.leastMs, effect.mostMs));
        return;
      case "check-login":
        return void isSignedIn().then(
          (isIn) => isIn || step({ type: "closed", code: 4401 }),
          () => undefined,
        );
      case "signed-out":
        return onSignedOut();
      case "store":
        return tryStore(storages, unsentKey(effect.message.temp_id), JSON.stringify(effect.message));
      case "remove":
        return removeStored(storages, unsentKey(effect.tempId));
    }
  };
  // The service's own pings are not shown to a page: it asks for a sign of life itself.
  const listen = () => {
    window.clearTimeout(silence);
    silence = window.setTimeout(() => {
      if (socket?.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
      silence = window.setTimeout(() => lose(socket), TIMEOUT_MS - PING_AFTER_MS);
    }, PING_AFTER_MS);
  };
  // A connection that went silent may take minutes to close: it is given up at once.
  const lose = (lost: WebSocket | undefined) => {
    if (!lost || lost !== socket) return;
    socket = undefined;
    lost.close();
    step({ type: "closed", code: 1006 });
  };
  const open = () => {
    window.clearTimeout(retry);
    const next = new WebSocket(url, ["parley.v1"]);
    socket = next;
    listen();
    next.onmessage = ({ data }) => {
      if (next !== socket) return;
      listen();
      step({ type: "frame", frame: JSON.parse(data) });
    };
    next.onclose = ({ code }) => {
      if (next !== socket) return;
      socket = undefined;
      window.clearTimeout(silence);
      step({ type: "closed", code });
    };
  };
  const wake = () => step({ type: "retry" });
  const look = () => {
    const isVisible = document.visibilityState === "visible";
    step({ type: "visible", isVisible });
    if (isVisible) wake();
  };
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", wake);
  step({ type: "start" });

  return {
    phase: () => link.phase,
    join: (sessionId) => step({ type: "join", sessionId }),
    leave: (sessionId) => step({ type: "leave", sessionId }),
    watch(topic) {
      step({ type: "watch", topic });
      return () => step({ type: "unwatch", topic });
    },
    send: (message) => step({ type: "enqueue", message: { ...message, language: language() } }),
    discard: (tempId) => step({ type: "discard", tempId }),
    listUnsent: (sessionId) => link.outbox.filter(({ session_id }) => session_id === sessionId),
    rejoin: (sessionId) => step({ type: "stream-gap", sessionId }),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onPhase(listener) {
      phaseListeners.add(listener);
      return () => void phaseListeners.delete(listener);
    },
    onSignedIn: () => step({ type: "signed-in" }),
    close() {
      window.clearTimeout(retry);
      window.clearTimeout(silence);
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("online", wake);
      step({ type: "end" });
      socket = undefined;
    },
  };
}

// Where no storage has room it is still sent, and kept as long as the page.
function tryStore(storages: readonly Storage[], key: string, text: string): void {
  for (const storage of storages) {
    storage.removeItem(key);
    try {
      storage.setItem(key, text);
      return;
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
    }
  }
}

function removeStored(storages: readonly Storage[], key: string): void {
  for (const storage of storages) storage.removeItem(key);
}

// One entry for each message: two pages of the same browser do not overwrite each other's.
function loadOutbox(storage: Storage, unsent: string): readonly OutgoingMessage[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  return keys
    .filter((key) => key.startsWith(unsent))
    .sort()
    .flatMap((key) => {
      const text = storage.getItem(key);
      if (text === null) return [];
      const message: OutgoingMessage = JSON.parse(text);
      return [message];
    });
}

function randomBetween(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
