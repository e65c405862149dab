import type { Frame } from "./conversation.ts";

const SILENCE_MS = 40_000;
const MAX_WAIT_MS = 30_000;
const OUTBOX = "parley.unsent";

export interface Outgoing {
  readonly session_id: string;
  readonly content: string;
  readonly temp_id: string;
}
export type LinkState = "connecting" | "open" | "closed";

export interface LiveSocket {
  join(sessionId: string): void;
  leave(sessionId: string): void;
  /** Kept until the service has it, also across a reload of the page. */
  say(message: Outgoing): void;
  unsent(sessionId: string): readonly Outgoing[];
  /** Sends a frame and gives its answer; refuses when there is no connection. */
  ask(frame: Frame): Promise<Frame>;
  subscribe(listener: (frame: Frame) => void): () => void;
  onState(listener: (state: LinkState) => void): () => void;
  close(): void;
}

export interface SocketParts {
  readonly url: string;
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  /** The login has ended; drafts and unsent messages stay. */
  readonly signedOut: () => void;
}

/** The socket of realtime.md: comes back by itself and catches up on what was missed. */
export function openLiveSocket({ url, storage, signedOut }: SocketParts): LiveSocket {
  const listeners = new Set<(frame: Frame) => void>();
  const stateListeners = new Set<(state: LinkState) => void>();
  const joined = new Map<string, number | undefined>();
  const asked = new Map<string, { resolve: (frame: Frame) => void; reject: (error: Error) => void }>();
  let consoleSeq = 0;
  let epoch = "";
  let socket: WebSocket | undefined;
  let tries = 0;
  let count = 0;
  let isClosed = false;
  let retry: number | undefined;
  let silence: number | undefined;

  const outbox = (): readonly Outgoing[] => JSON.parse(storage.getItem(OUTBOX) ?? "[]");
  const keep = (messages: readonly Outgoing[]) => storage.setItem(OUTBOX, JSON.stringify(messages));
  const tell = (frame: Frame) => {
    for (const listener of listeners) listener(frame);
  };
  const setState = (state: LinkState) => {
    for (const listener of stateListeners) listener(state);
  };
  const write = (frame: object): boolean => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(frame));
    return true;
  };
  const send = (frame: Frame) =>
    new Promise<Frame>((resolve, reject) => {
      const id = `q${++count}`;
      asked.set(id, { resolve, reject });
      if (!write({ ...frame, id })) {
        asked.delete(id);
        reject(new Error("there is no connection"));
      }
    });
  const deliver = async (message: Outgoing) => {
    const answer = await send({ type: "send_message", attachments: [], ...message }).catch(() => undefined);
    // Without an answer it stays, and is said again under the same id.
    if (!answer) return;
    keep(outbox().filter(({ temp_id }) => temp_id !== message.temp_id));
    if (answer.ok) tell({ type: "local_sent", session_id: message.session_id, temp_id: message.temp_id });
    else
      tell({
        type: "local_refused",
        session_id: message.session_id,
        temp_id: message.temp_id,
        content: message.content,
        error: answer.error,
      });
  };
  const hear = () => {
    window.clearTimeout(silence);
    silence = window.setTimeout(() => socket?.close(), SILENCE_MS);
  };
  const ready = (frame: Frame) => {
    const isSame = epoch !== "" && frame.epoch === epoch;
    const streams = Object.fromEntries([...joined].map(([id, seq]) => [id, seq ?? 0]));
    const isFirst = epoch === "";
    epoch = String(frame.epoch);
    if (isFirst) for (const id of joined.keys()) write({ type: "join_session", session_id: id });
    else write({ type: "resume", epoch: isSame ? epoch : "another", streams: { ...streams, "@console": consoleSeq } });
    for (const message of outbox()) void deliver(message);
  };
  const take = (frame: Frame) => {
    hear();
    if (frame.type === "ready") return ready(frame);
    if (frame.type === "ack" && typeof frame.id === "string") {
      asked.get(frame.id)?.resolve(frame);
      asked.delete(frame.id);
      return;
    }
    if (frame.type === "joined_session" && frame.session_id && joined.get(frame.session_id) === undefined) {
      joined.set(frame.session_id, frame.seq as number);
    } else if (frame.seq !== undefined && frame.session_id && joined.has(frame.session_id))
      joined.set(frame.session_id, frame.seq);
    else if (frame.seq !== undefined && !frame.session_id) consoleSeq = frame.seq;
    tell(frame);
  };
  const connect = () => {
    window.clearTimeout(retry);
    if (isClosed || socket) return;
    setState("connecting");
    const next = new WebSocket(url, ["parley.v1"]);
    socket = next;
    next.onopen = () => {
      tries = 0;
      hear();
      setState("open");
    };
    next.onmessage = ({ data }) => take(JSON.parse(data));
    next.onclose = ({ code }) => {
      socket = undefined;
      window.clearTimeout(silence);
      setState("closed");
      for (const { reject } of asked.values()) reject(new Error("the connection was lost"));
      asked.clear();
      if (code === 4401 || code === 4403) return signedOut();
      tries += 1;
      const least = code === 1013 || code === 4429 ? 5000 : 0;
      retry = window.setTimeout(connect, least + Math.random() * Math.min(MAX_WAIT_MS, 500 * 2 ** tries));
    };
  };
  const now = () => {
    if (document.visibilityState === "visible") connect();
  };
  document.addEventListener("visibilitychange", now);
  window.addEventListener("online", now);
  connect();

  return {
    join(sessionId) {
      if (joined.has(sessionId)) return;
      joined.set(sessionId, undefined);
      write({ type: "join_session", session_id: sessionId });
    },
    leave(sessionId) {
      joined.delete(sessionId);
      write({ type: "leave_session", session_id: sessionId });
    },
    say(message) {
      keep([...outbox(), message]);
      void deliver(message);
    },
    unsent: (sessionId) => outbox().filter(({ session_id }) => session_id === sessionId),
    ask: send,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onState(listener) {
      stateListeners.add(listener);
      return () => void stateListeners.delete(listener);
    },
    close() {
      isClosed = true;
      window.clearTimeout(retry);
      document.removeEventListener("visibilitychange", now);
      window.removeEventListener("online", now);
      socket?.close();
    },
  };
}
