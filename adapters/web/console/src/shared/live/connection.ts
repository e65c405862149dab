import type { Attachment } from "@parley/core";
import type { Frame } from "./conversation.ts";

/** Emitted once rows of the subscribed topics arrive. */
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
  /** Language of the console for the sender. */
  readonly language?: string;
  /** The message that it answers. */
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
  /** True after `ready`: frames are understood. */
  readonly isReady: boolean;
  /** Connections in a row that did not hold. */
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
  | { readonly type: "heard"; readonly frame: Frame }
  | { readonly type: "closed"; readonly code: number }
  /** The backoff has ended, or a retry is promising (network back, page visible). */
  | { readonly type: "woken" }
  | { readonly type: "join"; readonly sessionId: string }
  | { readonly type: "leave"; readonly sessionId: string }
  | { readonly type: "watch" | "unwatch"; readonly topic: string }
  /** A chunk of a stream is missing: requests the partial reply again. */
  | { readonly type: "torn"; readonly sessionId: string }
  | { readonly type: "say"; readonly message: OutgoingMessage }
  | { readonly type: "forget"; readonly tempId: string }
  | { readonly type: "visible"; readonly isVisible: boolean }
  /** The login that had ended is there again. */
  | { readonly type: "signed-in" }
  | { readonly type: "end" };

export type ConnectionEffect =
  | { readonly type: "open" }
  | { readonly type: "close" }
  | { readonly type: "send"; readonly frame: Frame }
  | { readonly type: "tell"; readonly frame: Frame }
  /** Wait for a random time between the two, then `woken`. */
  | { readonly type: "wait"; readonly leastMs: number; readonly mostMs: number }
  /** The socket never opened: the login may have ended, which a browser does not report for a rejected upgrade. */
  | { readonly type: "check-login" }
  | { readonly type: "signed-out" }
  | { readonly type: "keep"; readonly message: OutgoingMessage }
  | { readonly type: "drop"; readonly tempId: string };

export type ConnectionStep = readonly [link: ConnectionState, effects: readonly ConnectionEffect[]];

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
export function stepConnection(link: ConnectionState, event: ConnectionEvent): ConnectionStep {
  switch (event.type) {
    case "start":
    case "woken":
      return link.phase === "waiting" ? [{ ...link, phase: "connecting" }, [{ type: "open" }]] : [link, []];
    case "signed-in":
      return link.phase === "ended"
        ? [{ ...link, phase: "connecting", attemptCount: 0 }, [{ type: "open" }]]
        : [link, []];
    case "heard":
      return link.phase === "ended" ? [link, []] : onFrame(link, event.frame);
    case "closed":
      return onClosed(link, event.code);
    case "join":
      return join(link, event.sessionId);
    case "leave":
      return leave(link, event.sessionId);
    case "watch":
      return watch(link, event.topic);
    case "unwatch":
      return unwatch(link, event.topic);
    case "torn":
      return [link, whenReady(link, { type: "join_session", session_id: event.sessionId })];
    case "say":
      return enqueueMessage(link, event.message);
    case "forget":
      return removeMessage(link, event.tempId);
    case "visible":
      return [
        { ...link, isVisible: event.isVisible },
        [...link.streams.keys()].flatMap((id) => whenReady(link, toVisibilityFrame(id, event.isVisible))),
      ];
    case "end":
      return [{ ...link, phase: "ended", isReady: false }, [{ type: "close" }]];
  }
}

function onFrame(link: ConnectionState, frame: Frame): ConnectionStep {
  if (frame.type === "ready") return onReady(link, String(frame.epoch));
  if (frame.type === "ack") return onAck(link, frame);
  if (frame.type === "joined_session") return onJoined(link, frame);
  return frame.seq === undefined ? [link, [{ type: "tell", frame }]] : onNumberedFrame(link, frame, frame.seq);
}

/** Handles the first frame of a connection: rejoins all sessions and resends unacknowledged messages. */
function onReady(link: ConnectionState, epoch: string): ConnectionStep {
  const isSame = link.epoch === epoch;
  const streams = isSame ? link.streams : new Map([...link.streams.keys()].map((id) => [id, undefined]));
  const consoleSeq = isSame ? link.consoleSeq : undefined;
  const next: ConnectionState = { ...link, phase: "open", isReady: true, attemptCount: 0, epoch, streams, consoleSeq };
  const resumed = toResumePositions(next);
  const effects: ConnectionEffect[] = [];
  if (Object.keys(resumed).length > 0) effects.push(send({ type: "resume", epoch, streams: resumed }));
  for (const [id, seq] of streams) {
    if (seq === undefined) effects.push(send({ type: "join_session", session_id: id }));
    effects.push(send(toVisibilityFrame(id, link.isVisible)));
  }
  if (link.topics.size > 0) effects.push(send(toSubscriptionFrame([...link.topics])));
  // What changed since the lists were fetched cannot be made up for without a number of this process, at the first
  // connection neither: they are fetched again, and each session when it was joined.
  if (consoleSeq === undefined) effects.push(notifyListeners({ type: "resync", session_id: CONSOLE_STREAM }));
  for (const message of link.outbox) if (message.error === undefined) effects.push(sendMessage(message));
  return [next, effects];
}

function toResumePositions({ streams, consoleSeq }: ConnectionState): Readonly<Record<string, number>> {
  const positions = [...streams].flatMap(([id, seq]) => (seq === undefined ? [] : [[id, seq] as const]));
  return Object.fromEntries(consoleSeq === undefined ? positions : [...positions, [CONSOLE_STREAM, consoleSeq]]);
}

function onJoined(link: ConnectionState, frame: Frame): ConnectionStep {
  const id = frame.session_id ?? "";
  if (!link.streams.has(id)) return [link, []];
  // When the number is known already, what is newer is being replayed after this frame.
  if (link.streams.get(id) !== undefined) return [link, [notifyListeners(frame)]];
  const streams = new Map(link.streams).set(id, Number(frame.seq ?? 0));
  return [{ ...link, streams }, [notifyListeners(frame), notifyListeners({ type: "resync", session_id: id })]];
}

function onNumberedFrame(link: ConnectionState, frame: Frame, seq: number): ConnectionStep {
  const id = frame.session_id;
  if (id !== undefined && !link.streams.has(id)) return [link, []];
  const lastSeq = id === undefined ? link.consoleSeq : link.streams.get(id);
  if (lastSeq !== undefined && seq <= lastSeq) return [link, []];
  const next =
    id === undefined ? { ...link, consoleSeq: seq } : { ...link, streams: new Map(link.streams).set(id, seq) };
  const isGap = lastSeq !== undefined && seq > lastSeq + 1;
  return [
    next,
    isGap
      ? [notifyListeners(frame), notifyListeners({ type: "resync", session_id: id ?? CONSOLE_STREAM })]
      : [notifyListeners(frame)],
  ];
}

function onAck(link: ConnectionState, ack: Frame): ConnectionStep {
  const tempId = String(ack.id ?? "");
  if (tempId === SUBSCRIBED_EVENT) return [link, ack.ok === true ? [notifyListeners({ type: SUBSCRIBED_EVENT })] : []];
  const message = link.outbox.find(({ temp_id }) => temp_id === tempId);
  if (!message) return [link, []];
  const notification = notifyListeners({ ...ack, type: "local_ack", session_id: message.session_id, temp_id: tempId });
  if (ack.ok === true) {
    const [next, effects] = removeMessage(link, tempId);
    return [next, [...effects, notification]];
  }
  const refused = { ...message, error: String(ack.error) };
  const outbox = link.outbox.map((one) => (one === message ? refused : one));
  return [{ ...link, outbox }, [{ type: "keep", message: refused }, notification]];
}

function onClosed(link: ConnectionState, code: number): ConnectionStep {
  if (link.phase === "ended") return [link, []];
  const wasReady = link.isReady;
  const next = { ...link, isReady: false };
  if (code === CLOSE_CODES.unauthorized) return [{ ...next, phase: "ended" }, [{ type: "signed-out" }]];
  if (code === CLOSE_CODES.forbidden) return [{ ...next, phase: "ended" }, []];
  const tries = link.attemptCount + 1;
  const leastMs = code === CLOSE_CODES.tooSlow || code === CLOSE_CODES.tooManyFrames ? OVERLOADED_BACKOFF_MS : 0;
  const mostMs = leastMs + Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** tries);
  const effects: ConnectionEffect[] = [{ type: "wait", leastMs, mostMs }];
  if (!wasReady) effects.push({ type: "check-login" });
  return [{ ...next, phase: "waiting", attemptCount: tries }, effects];
}

function join(link: ConnectionState, sessionId: string): ConnectionStep {
  if (link.streams.has(sessionId)) return [link, []];
  const next = { ...link, streams: new Map(link.streams).set(sessionId, undefined) };
  const frames = [{ type: "join_session", session_id: sessionId }, toVisibilityFrame(sessionId, link.isVisible)];
  return [next, frames.flatMap((frame) => whenReady(link, frame))];
}

function leave(link: ConnectionState, sessionId: string): ConnectionStep {
  const streams = new Map(link.streams);
  if (!streams.delete(sessionId)) return [link, []];
  return [{ ...link, streams }, whenReady(link, { type: "leave_session", session_id: sessionId })];
}

function watch(link: ConnectionState, topic: string): ConnectionStep {
  if (link.topics.has(topic)) return [link, []];
  return [{ ...link, topics: new Set([...link.topics, topic]) }, whenReady(link, toSubscriptionFrame([topic]))];
}

function toSubscriptionFrame(topics: readonly string[]): Frame {
  return { type: "subscribe", id: SUBSCRIBED_EVENT, topics };
}

function unwatch(link: ConnectionState, topic: string): ConnectionStep {
  const topics = new Set(link.topics);
  if (!topics.delete(topic)) return [link, []];
  return [{ ...link, topics }, whenReady(link, { type: "unsubscribe", topics: [topic] })];
}

function enqueueMessage(link: ConnectionState, message: OutgoingMessage): ConnectionStep {
  const others = link.outbox.filter(({ temp_id }) => temp_id !== message.temp_id);
  const effects: ConnectionEffect[] = [{ type: "keep", message }];
  if (link.isReady) effects.push(sendMessage(message));
  return [{ ...link, outbox: [...others, message] }, effects];
}

function removeMessage(link: ConnectionState, tempId: string): ConnectionStep {
  const outbox = link.outbox.filter(({ temp_id }) => temp_id !== tempId);
  return [{ ...link, outbox }, [{ type: "drop", tempId }]];
}

function sendMessage({ attachments = [], ...message }: OutgoingMessage): ConnectionEffect {
  const { session_id, content, temp_id, language, reply_to } = message;
  const more = { ...(language !== undefined && { language }), ...(reply_to !== undefined && { reply_to }) };
  const frame = { session_id, content, temp_id, attachments, ...more };
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
  return { type: "tell", frame };
}
