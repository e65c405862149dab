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
  /** Returns the current language of the console. */
  readonly getLanguage: () => string;
  /** Resolves to true while the login is valid; rejects when the service is unreachable. */
  readonly isSignedIn: () => Promise<boolean>;
  /** The login has ended; drafts and unsent messages stay. */
  readonly onSignedOut: () => void;
}

export interface LiveSocket {
  readonly getPhase: () => ConnectionPhase;
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
export function openLiveSocket({ url, storages, getLanguage, isSignedIn, onSignedOut }: LiveSocketOptions): LiveSocket {
  const listeners = new Set<(frame: Frame) => void>();
  const phaseListeners = new Set<() => void>();
  // Read once, so that messages stay with this account when another one signs in.
  const keyPrefix = toAccountKey("unsent");
  const unsentKey = (tempId: string) => keyPrefix + tempId;
  let state = createConnectionState(storages.flatMap((storage) => loadOutbox(storage, keyPrefix)));
  let socket: WebSocket | undefined;
  let retryTimer: number | undefined;
  let silenceTimer: number | undefined;

  const step = (event: ConnectionEvent) => {
    const before = state.phase;
    const [next, effects] = stepConnection(state, event);
    state = next;
    for (const effect of effects) runEffect(effect);
    if (state.phase !== before) for (const listener of phaseListeners) listener();
  };
  const runEffect = (effect: ConnectionEffect) => {
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
        window.clearTimeout(retryTimer);
        retryTimer = window.setTimeout(() => step({ type: "retry" }), randomBetween(effect.minMs, effect.maxMs));
        return;
      case "check-login":
        return void isSignedIn().then(
          (isIn) => isIn || step({ type: "closed", code: 4401 }),
          () => undefined,
        );
      case "signed-out":
        return onSignedOut();
      case "store":
        return storeInFirst(storages, unsentKey(effect.message.temp_id), JSON.stringify(effect.message));
      case "remove":
        return removeStored(storages, unsentKey(effect.tempId));
    }
  };
  // Browsers hide the service's pings from pages, so the page sends its own.
  const restartSilenceTimer = () => {
    window.clearTimeout(silenceTimer);
    silenceTimer = window.setTimeout(() => {
      if (socket?.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
      silenceTimer = window.setTimeout(() => abandon(socket), TIMEOUT_MS - PING_AFTER_MS);
    }, PING_AFTER_MS);
  };
  // A silent connection may take minutes to close, so it is abandoned at once.
  const abandon = (lost: WebSocket | undefined) => {
    if (!lost || lost !== socket) return;
    socket = undefined;
    lost.close();
    step({ type: "closed", code: 1006 });
  };
  const open = () => {
    window.clearTimeout(retryTimer);
    const next = new WebSocket(url, ["parley.v1"]);
    socket = next;
    restartSilenceTimer();
    next.onmessage = ({ data }) => {
      if (next !== socket) return;
      restartSilenceTimer();
      step({ type: "frame", frame: JSON.parse(data) });
    };
    next.onclose = ({ code }) => {
      if (next !== socket) return;
      socket = undefined;
      window.clearTimeout(silenceTimer);
      step({ type: "closed", code });
    };
  };
  const retryNow = () => step({ type: "retry" });
  const handleVisibility = () => {
    const isVisible = document.visibilityState === "visible";
    step({ type: "visible", isVisible });
    if (isVisible) retryNow();
  };
  document.addEventListener("visibilitychange", handleVisibility);
  window.addEventListener("online", retryNow);
  step({ type: "start" });

  return {
    getPhase: () => state.phase,
    join: (sessionId) => step({ type: "join", sessionId }),
    leave: (sessionId) => step({ type: "leave", sessionId }),
    watch(topic) {
      step({ type: "watch", topic });
      return () => step({ type: "unwatch", topic });
    },
    send: (message) => step({ type: "enqueue", message: { ...message, language: getLanguage() } }),
    discard: (tempId) => step({ type: "discard", tempId }),
    listUnsent: (sessionId) => state.outbox.filter(({ session_id }) => session_id === sessionId),
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
      window.clearTimeout(retryTimer);
      window.clearTimeout(silenceTimer);
      document.removeEventListener("visibilitychange", handleVisibility);
      window.removeEventListener("online", retryNow);
      step({ type: "end" });
      socket = undefined;
    },
  };
}

// If no storage has room, the message is still sent, but lost with the page.
function storeInFirst(storages: readonly Storage[], key: string, text: string): void {
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

// Each message has a key of its own, so that two tabs do not overwrite each other's messages.
function loadOutbox(storage: Storage, keyPrefix: string): readonly OutgoingMessage[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  return keys
    .filter((key) => key.startsWith(keyPrefix))
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
