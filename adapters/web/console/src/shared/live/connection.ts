import type { Attachment } from "@parley/core";
import type { Frame } from "./conversation.ts";

/** Type of the frame that listeners get once a subscription is in effect. */
export const SUBSCRIBED_EVENT = "watching";
const MAX_BACKOFF_MS = 30_000;
const MIN_BACKOFF_MS = 500;
const OVERLOADED_BACKOFF_MS = 5_000;
const CLOSE_CODES = { tooSlow: 1013, unauthorized: 4401, forbidden: 4403, tooManyFrames: 4429 } as const;

/** The stream of events without a session. */
export const CONSOLE_STREAM = "@console";

/** A message the service has not acknowledged; one with `error` was rejected and is not sent again. */
export interface OutgoingMessage {
  readonly session_id: string;
  readonly content: string;
  readonly temp_id: string;
  readonly attachments?: readonly Attachment[];
  readonly language?: string;
  /** Id of the message it replies to. */
  readonly reply_to?: string;
  readonly error?: string;
}

export type ConnectionPhase =
  | "connecting"
  | "open"
  | "waiting"
  /** Signed out, not permitted any more, or closed by the page: it does not reconnect. */
  | "ended";

/** The state of the connection: joined streams, their last received numbers, and unsent messages. */
export interface ConnectionState {
  readonly phase: ConnectionPhase;
  /** True once the service has sent `ready`; nothing is sent before. */
  readonly isReady: boolean;
  /** Number of failed connections in a row. */
  readonly attemptCount: number;
  /** Epoch of the numbers in `streams`; "" before the first connection. */
  readonly epoch: string;
  /** The last received number of each joined session; undefined until the service sends it. */
  readonly streams: ReadonlyMap<string, number | undefined>;
  readonly consoleSeq: number | undefined;
  /** Subscribed topics, such as `gateway`; their rows are unnumbered and not replayed. */
  readonly topics: ReadonlySet<string>;
  readonly outbox: readonly OutgoingMessage[];
  /** True while the page is visible, so that no push notification is sent for it. */
  readonly isVisible: boolean;
}

export type ConnectionEvent =
  | { readonly type: "start" }
  | { readonly type: "frame"; readonly frame: Frame }
  | { readonly type: "closed"; readonly code: number }
  /** The backoff has ended, or a retry is promising (network back, page visible). */
  | { readonly type: "retry" }
  | { readonly type: "join"; readonly sessionId: string }
  | { readonly type: "leave"; readonly sessionId: string }
  | { readonly type: "watch" | "unwatch"; readonly topic: string }
  /** A chunk of a stream is missing: requests the partial reply again. */
  | { readonly type: "stream-gap"; readonly sessionId: string }
  | { readonly type: "enqueue"; readonly message: OutgoingMessage }
  | { readonly type: "discard"; readonly tempId: string }
  | { readonly type: "visible"; readonly isVisible: boolean }
  /** The user has signed in again. */
  | { readonly type: "signed-in" }
  | { readonly type: "end" };

export type ConnectionEffect =
  | { readonly type: "open" }
  | { readonly type: "close" }
  | { readonly type: "send"; readonly frame: Frame }
  | { readonly type: "notify"; readonly frame: Frame }
  /** Wait a random time between the two, then send `retry`. */
  | { readonly type: "wait"; readonly minMs: number; readonly maxMs: number }
  /** The socket never opened: the login may have ended, which a browser does not report for a rejected upgrade. */
  | { readonly type: "check-login" }
  | { readonly type: "signed-out" }
  | { readonly type: "store"; readonly message: OutgoingMessage }
  | { readonly type: "remove"; readonly tempId: string };

export type ConnectionStep = readonly [state: ConnectionState, effects: readonly ConnectionEffect[]];

export function createConnectionState(outbox: readonly OutgoingMessage[]): ConnectionState {
  return {
    phase: "waiting",
    isReady: false,
    attemptCount: 0,
    epoch: "",
    streams: new Map(),
    consoleSeq: undefined,
    topics: new Set(),
    outbox,
    isVisible: true,
  };
}

/** Returns the next state of the connection and the effects to run. Pure: the caller owns socket, timers and storage. */
export function stepConnection(state: ConnectionState, event: ConnectionEvent): ConnectionStep {
  switch (event.type) {
    case "start":
    case "retry":
      return state.phase === "waiting" ? [{ ...state, phase: "connecting" }, [{ type: "open" }]] : [state, []];
    case "signed-in":
      return state.phase === "ended"
        ? [{ ...state, phase: "connecting", attemptCount: 0 }, [{ type: "open" }]]
        : [state, []];
    case "frame":
      return state.phase === "ended" ? [state, []] : onFrame(state, event.frame);
    case "closed":
      return onClosed(state, event.code);
    case "join":
      return join(state, event.sessionId);
    case "leave":
      return leave(state, event.sessionId);
    case "watch":
      return watch(state, event.topic);
    case "unwatch":
      return unwatch(state, event.topic);
    case "stream-gap":
      return [state, whenReady(state, { type: "join_session", session_id: event.sessionId })];
    case "enqueue":
      return enqueueMessage(state, event.message);
    case "discard":
      return removeMessage(state, event.tempId);
    case "visible":
      return [
        { ...state, isVisible: event.isVisible },
        [...state.streams.keys()].flatMap((id) => whenReady(state, toVisibilityFrame(id, event.isVisible))),
      ];
    case "end":
      return [{ ...state, phase: "ended", isReady: false }, [{ type: "close" }]];
  }
}

function onFrame(state: ConnectionState, frame: Frame): ConnectionStep {
  if (frame.type === "ready") return onReady(state, String(frame.epoch));
  if (frame.type === "ack") return onAck(state, frame);
  if (frame.type === "joined_session") return onJoined(state, frame);
  return frame.seq === undefined ? [state, [{ type: "notify", frame }]] : onNumberedFrame(state, frame, frame.seq);
}

/** Handles the first frame of a connection: rejoins all sessions and resends unacknowledged messages. */
function onReady(state: ConnectionState, epoch: string): ConnectionStep {
  const isSameProcess = state.epoch === epoch;
  const streams = isSameProcess ? state.streams : new Map([...state.streams.keys()].map((id) => [id, undefined]));
  const consoleSeq = isSameProcess ? state.consoleSeq : undefined;
  const next: ConnectionState = { ...state, phase: "open", isReady: true, attemptCount: 0, epoch, streams, consoleSeq };
  const resumed = toResumePositions(next);
  const effects: ConnectionEffect[] = [];
  if (Object.keys(resumed).length > 0) effects.push(send({ type: "resume", epoch, streams: resumed }));
  for (const [id, seq] of streams) {
    if (seq === undefined) effects.push(send({ type: "join_session", session_id: id }));
    effects.push(send(toVisibilityFrame(id, state.isVisible)));
  }
  if (state.topics.size > 0) effects.push(send(toSubscriptionFrame([...state.topics])));
  // Without a number of this process, also at the first connection, missed changes cannot be replayed: lists are
  // refetched here, and each session once it is joined.
  if (consoleSeq === undefined) effects.push(notifyListeners({ type: "resync", session_id: CONSOLE_STREAM }));
  for (const message of state.outbox) if (message.error === undefined) effects.push(sendMessage(message));
  return [next, effects];
}

function toResumePositions({ streams, consoleSeq }: ConnectionState): Readonly<Record<string, number>> {
  const positions = [...streams].flatMap(([id, seq]) => (seq === undefined ? [] : [[id, seq] as const]));
  return Object.fromEntries(consoleSeq === undefined ? positions : [...positions, [CONSOLE_STREAM, consoleSeq]]);
}

function onJoined(state: ConnectionState, frame: Frame): ConnectionStep {
  const id = frame.session_id ?? "";
  if (!state.streams.has(id)) return [state, []];
  // If the number is known, the service replays newer events after this frame.
  if (state.streams.get(id) !== undefined) return [state, [notifyListeners(frame)]];
  const streams = new Map(state.streams).set(id, Number(frame.seq ?? 0));
  return [{ ...state, streams }, [notifyListeners(frame), notifyListeners({ type: "resync", session_id: id })]];
}

function onNumberedFrame(state: ConnectionState, frame: Frame, seq: number): ConnectionStep {
  const id = frame.session_id;
  if (id !== undefined && !state.streams.has(id)) return [state, []];
  const lastSeq = id === undefined ? state.consoleSeq : state.streams.get(id);
  if (lastSeq !== undefined && seq <= lastSeq) return [state, []];
  const next =
    id === undefined ? { ...state, consoleSeq: seq } : { ...state, streams: new Map(state.streams).set(id, seq) };
  const isGap = lastSeq !== undefined && seq > lastSeq + 1;
  return [
    next,
    isGap
      ? [notifyListeners(frame), notifyListeners({ type: "resync", session_id: id ?? CONSOLE_STREAM })]
      : [notifyListeners(frame)],
  ];
}

function onAck(state: ConnectionState, ack: Frame): ConnectionStep {
  const tempId = String(ack.id ?? "");
  if (tempId === SUBSCRIBED_EVENT) return [state, ack.ok === true ? [notifyListeners({ type: SUBSCRIBED_EVENT })] : []];
  const message = state.outbox.find(({ temp_id }) => temp_id === tempId);
  if (!message) return [state, []];
  const notification = notifyListeners({ ...ack, type: "local_ack", session_id: message.session_id, temp_id: tempId });
  if (ack.ok === true) {
    const [next, effects] = removeMessage(state, tempId);
    return [next, [...effects, notification]];
  }
  const rejected = { ...message, error: String(ack.error) };
  const outbox = state.outbox.map((one) => (one === message ? rejected : one));
  return [{ ...state, outbox }, [{ type: "store", message: rejected }, notification]];
}

function onClosed(state: ConnectionState, code: number): ConnectionStep {
  if (state.phase === "ended") return [state, []];
  const wasReady = state.isReady;
  const next = { ...state, isReady: false };
  if (code === CLOSE_CODES.unauthorized) return [{ ...next, phase: "ended" }, [{ type: "signed-out" }]];
  if (code === CLOSE_CODES.forbidden) return [{ ...next, phase: "ended" }, []];
  const tries = state.attemptCount + 1;
  const minMs = code === CLOSE_CODES.tooSlow || code === CLOSE_CODES.tooManyFrames ? OVERLOADED_BACKOFF_MS : 0;
  const maxMs = minMs + Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** tries);
  const effects: ConnectionEffect[] = [{ type: "wait", minMs, maxMs }];
  if (!wasReady) effects.push({ type: "check-login" });
  return [{ ...next, phase: "waiting", attemptCount: tries }, effects];
}

function join(state: ConnectionState, sessionId: string): ConnectionStep {
  if (state.streams.has(sessionId)) return [state, []];
  const next = { ...state, streams: new Map(state.streams).set(sessionId, undefined) };
  const frames = [{ type: "join_session", session_id: sessionId }, toVisibilityFrame(sessionId, state.isVisible)];
  return [next, frames.flatMap((frame) => whenReady(state, frame))];
}

function leave(state: ConnectionState, sessionId: string): ConnectionStep {
  const streams = new Map(state.streams);
  if (!streams.delete(sessionId)) return [state, []];
  return [{ ...state, streams }, whenReady(state, { type: "leave_session", session_id: sessionId })];
}

function watch(state: ConnectionState, topic: string): ConnectionStep {
  if (state.topics.has(topic)) return [state, []];
  return [{ ...state, topics: new Set([...state.topics, topic]) }, whenReady(state, toSubscriptionFrame([topic]))];
}

function toSubscriptionFrame(topics: readonly string[]): Frame {
  return { type: "subscribe", id: SUBSCRIBED_EVENT, topics };
}

function unwatch(state: ConnectionState, topic: string): ConnectionStep {
  const topics = new Set(state.topics);
  if (!topics.delete(topic)) return [state, []];
  return [{ ...state, topics }, whenReady(state, { type: "unsubscribe", topics: [topic] })];
}

function enqueueMessage(state: ConnectionState, message: OutgoingMessage): ConnectionStep {
  const others = state.outbox.filter(({ temp_id }) => temp_id !== message.temp_id);
  const effects: ConnectionEffect[] = [{ type: "store", message }];
  if (state.isReady) effects.push(sendMessage(message));
  return [{ ...state, outbox: [...others, message] }, effects];
}

function removeMessage(state: ConnectionState, tempId: string): ConnectionStep {
  const outbox = state.outbox.filter(({ temp_id }) => temp_id !== tempId);
  return [{ ...state, outbox }, [{ type: "remove", tempId }]];
}

function sendMessage({ attachments = [], ...message }: OutgoingMessage): ConnectionEffect {
  const { session_id, content, temp_id, language, reply_to } = message;
  const optional = { ...(language !== undefined && { language }), ...(reply_to !== undefined && { reply_to }) };
  const frame = { session_id, content, temp_id, attachments, ...optional };
  return send({ type: "send_message", id: temp_id, ...frame });
}

function toVisibilityFrame(sessionId: string, visible: boolean): Frame {
  return { type: "web_visibility", session_id: sessionId, visible };
}

function whenReady({ isReady }: ConnectionState, frame: Frame): readonly ConnectionEffect[] {
  return isReady ? [send(frame)] : [];
}

function send(frame: Frame): ConnectionEffect {
  return { type: "send", frame };
}

function notifyListeners(frame: Frame): ConnectionEffect {
  return { type: "notify", frame };
}
