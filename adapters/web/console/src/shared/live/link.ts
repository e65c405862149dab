import type { Attachment } from "@parley/core";
import type { Frame } from "./conversation.ts";

/** Told when rows of the topics that were asked for come from now on. */
export const WATCHING = "watching";
const MAX_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 500;
const OVERLOADED_WAIT_MS = 5_000;
const CLOSE = { tooSlow: 1013, unauthorized: 4401, forbidden: 4403, tooManyFrames: 4429 } as const;

/** The stream of what belongs to no session. */
export const CONSOLE_STREAM = "@console";

/** What a person said that the service has not acknowledged; with `error` it was refused and is not said again. */
export interface Outgoing {
  readonly session_id: string;
  readonly content: string;
  readonly temp_id: string;
  readonly attachments?: readonly Attachment[];
  /** In which language who writes reads the console. */
  readonly language?: string;
  /** The message that it answers. */
  readonly reply_to?: string;
  readonly error?: string;
}

export type LinkPhase =
  | "connecting"
  | "open"
  | "waiting"
  /** Signed out, not allowed any more, or closed by the page: it does not come back by itself. */
  | "ended";

/** The connection: which streams are listened to, how far they were heard, and what is still to be said. */
export interface Link {
  readonly phase: LinkPhase;
  /** True after `ready`: frames are understood. */
  readonly isReady: boolean;
  /** Connections in a row that did not hold. */
  readonly tries: number;
  /** Of the numbers in `streams`; "" before the first connection. */
  readonly epoch: string;
  /** The newest number heard of each joined session; undefined until the service names it. */
  readonly streams: ReadonlyMap<string, number | undefined>;
  readonly consoleSeq: number | undefined;
  /** Further rows that are watched, such as `gateway`; they come without numbers and are not made up for. */
  readonly topics: ReadonlySet<string>;
  readonly outbox: readonly Outgoing[];
  /** Whether the page is looked at, so that nothing is pushed for what is on the screen. */
  readonly isVisible: boolean;
}

export type LinkEvent =
  | { readonly type: "start" }
  | { readonly type: "heard"; readonly frame: Frame }
  | { readonly type: "closed"; readonly code: number }
  /** The time to wait is over, or there is reason to hope (network back, page looked at). */
  | { readonly type: "woken" }
  | { readonly type: "join"; readonly sessionId: string }
  | { readonly type: "leave"; readonly sessionId: string }
  | { readonly type: "watch" | "unwatch"; readonly topic: string }
  /** A piece of a stream is missing: what was said so far is asked for. */
  | { readonly type: "torn"; readonly sessionId: string }
  | { readonly type: "say"; readonly message: Outgoing }
  | { readonly type: "forget"; readonly tempId: string }
  | { readonly type: "visible"; readonly isVisible: boolean }
  /** The login that had ended is there again. */
  | { readonly type: "signed-in" }
  | { readonly type: "end" };

export type LinkEffect =
  | { readonly type: "open" }
  | { readonly type: "close" }
  | { readonly type: "send"; readonly frame: Frame }
  | { readonly type: "tell"; readonly frame: Frame }
  /** Wait for a random time between the two, then `woken`. */
  | { readonly type: "wait"; readonly leastMs: number; readonly mostMs: number }
  /** It never opened: perhaps the login has ended, which a browser does not say of a refused upgrade. */
  | { readonly type: "check-login" }
  | { readonly type: "signed-out" }
  | { readonly type: "keep"; readonly message: Outgoing }
  | { readonly type: "drop"; readonly tempId: string };

export type LinkStep = readonly [link: Link, effects: readonly LinkEffect[]];

export function newLink(outbox: readonly Outgoing[]): Link {
  return {
    phase: "waiting",
    isReady: false,
    tries: 0,
    epoch: "",
    streams: new Map(),
    consoleSeq: undefined,
    topics: new Set(),
    outbox,
    isVisible: true,
  };
}

/** What becomes of the connection and what is to be done. Pure: the socket, timers and storage are the caller's. */
export function stepLink(link: Link, event: LinkEvent): LinkStep {
  switch (event.type) {
    case "start":
    case "woken":
      return link.phase === "waiting" ? [{ ...link, phase: "connecting" }, [{ type: "open" }]] : [link, []];
    case "signed-in":
      return link.phase === "ended" ? [{ ...link, phase: "connecting", tries: 0 }, [{ type: "open" }]] : [link, []];
    case "heard":
      return link.phase === "ended" ? [link, []] : heard(link, event.frame);
    case "closed":
      return closed(link, event.code);
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
      return say(link, event.message);
    case "forget":
      return withoutMessage(link, event.tempId);
    case "visible":
      return [
        { ...link, isVisible: event.isVisible },
        [...link.streams.keys()].flatMap((id) => whenReady(link, visibility(id, event.isVisible))),
      ];
    case "end":
      return [{ ...link, phase: "ended", isReady: false }, [{ type: "close" }]];
  }
}

function heard(link: Link, frame: Frame): LinkStep {
  if (frame.type === "ready") return greeted(link, String(frame.epoch));
  if (frame.type === "ack") return answered(link, frame);
  if (frame.type === "joined_session") return joined(link, frame);
  return frame.seq === undefined ? [link, [{ type: "tell", frame }]] : numbered(link, frame, frame.seq);
}

/** The first frame of a connection: everything is joined (again), and what was not acknowledged is said again. */
function greeted(link: Link, epoch: string): LinkStep {
  const isSame = link.epoch === epoch;
  const streams = isSame ? link.streams : new Map([...link.streams.keys()].map((id) => [id, undefined]));
  const consoleSeq = isSame ? link.consoleSeq : undefined;
  const next: Link = { ...link, phase: "open", isReady: true, tries: 0, epoch, streams, consoleSeq };
  const resumed = resumable(next);
  const effects: LinkEffect[] = [];
  if (Object.keys(resumed).length > 0) effects.push(send({ type: "resume", epoch, streams: resumed }));
  for (const [id, seq] of streams) {
    if (seq === undefined) effects.push(send({ type: "join_session", session_id: id }));
    effects.push(send(visibility(id, link.isVisible)));
  }
  if (link.topics.size > 0) effects.push(send(subscription([...link.topics])));
  // What changed since the lists were fetched cannot be made up for without a number of this process, at the first
  // connection neither: they are fetched again, and each session when it was joined.
  if (consoleSeq === undefined) effects.push(tell({ type: "resync", session_id: CONSOLE_STREAM }));
  for (const message of link.outbox) if (message.error === undefined) effects.push(sendMessage(message));
  return [next, effects];
}

function resumable({ streams, consoleSeq }: Link): Readonly<Record<string, number>> {
  const known = [...streams].flatMap(([id, seq]) => (seq === undefined ? [] : [[id, seq] as const]));
  return Object.fromEntries(consoleSeq === undefined ? known : [...known, [CONSOLE_STREAM, consoleSeq]]);
}

function joined(link: Link, frame: Frame): LinkStep {
  const id = frame.session_id ?? "";
  if (!link.streams.has(id)) return [link, []];
  // When the number is known already, what is newer is being replayed after this frame.
  if (link.streams.get(id) !== undefined) return [link, [tell(frame)]];
  const streams = new Map(link.streams).set(id, Number(frame.seq ?? 0));
  return [{ ...link, streams }, [tell(frame), tell({ type: "resync", session_id: id })]];
}

function numbered(link: Link, frame: Frame, seq: number): LinkStep {
  const id = frame.session_id;
  if (id !== undefined && !link.streams.has(id)) return [link, []];
  const known = id === undefined ? link.consoleSeq : link.streams.get(id);
  if (known !== undefined && seq <= known) return [link, []];
  const next =
    id === undefined ? { ...link, consoleSeq: seq } : { ...link, streams: new Map(link.streams).set(id, seq) };
  const isGap = known !== undefined && seq > known + 1;
  return [next, isGap ? [tell(frame), tell({ type: "resync", session_id: id ?? CONSOLE_STREAM })] : [tell(frame)]];
}

function answered(link: Link, ack: Frame): LinkStep {
  const tempId = String(ack.id ?? "");
  if (tempId === WATCHING) return [link, ack.ok === true ? [tell({ type: WATCHING })] : []];
  const message = link.outbox.find(({ temp_id }) => temp_id === tempId);
  if (!message) return [link, []];
  const told = tell({ ...ack, type: "local_ack", session_id: message.session_id, temp_id: tempId });
  if (ack.ok === true) {
    const [next, effects] = withoutMessage(link, tempId);
    return [next, [...effects, told]];
  }
  const refused = { ...message, error: String(ack.error) };
  const outbox = link.outbox.map((one) => (one === message ? refused : one));
  return [{ ...link, outbox }, [{ type: "keep", message: refused }, told]];
}

function closed(link: Link, code: number): LinkStep {
  if (link.phase === "ended") return [link, []];
  const wasReady = link.isReady;
  const next = { ...link, isReady: false };
  if (code === CLOSE.unauthorized) return [{ ...next, phase: "ended" }, [{ type: "signed-out" }]];
  if (code === CLOSE.forbidden) return [{ ...next, phase: "ended" }, []];
  const tries = link.tries + 1;
  const leastMs = code === CLOSE.tooSlow || code === CLOSE.tooManyFrames ? OVERLOADED_WAIT_MS : 0;
  const mostMs = leastMs + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
  const effects: LinkEffect[] = [{ type: "wait", leastMs, mostMs }];
  if (!wasReady) effects.push({ type: "check-login" });
  return [{ ...next, phase: "waiting", tries }, effects];
}

function join(link: Link, sessionId: string): LinkStep {
  if (link.streams.has(sessionId)) return [link, []];
  const next = { ...link, streams: new Map(link.streams).set(sessionId, undefined) };
  const frames = [{ type: "join_session", session_id: sessionId }, visibility(sessionId, link.isVisible)];
  return [next, frames.flatMap((frame) => whenReady(link, frame))];
}

function leave(link: Link, sessionId: string): LinkStep {
  const streams = new Map(link.streams);
  if (!streams.delete(sessionId)) return [link, []];
  return [{ ...link, streams }, whenReady(link, { type: "leave_session", session_id: sessionId })];
}

function watch(link: Link, topic: string): LinkStep {
  if (link.topics.has(topic)) return [link, []];
  return [{ ...link, topics: new Set([...link.topics, topic]) }, whenReady(link, subscription([topic]))];
}

function subscription(topics: readonly string[]): Frame {
  return { type: "subscribe", id: WATCHING, topics };
}

function unwatch(link: Link, topic: string): LinkStep {
  const topics = new Set(link.topics);
  if (!topics.delete(topic)) return [link, []];
  return [{ ...link, topics }, whenReady(link, { type: "unsubscribe", topics: [topic] })];
}

function say(link: Link, message: Outgoing): LinkStep {
  const others = link.outbox.filter(({ temp_id }) => temp_id !== message.temp_id);
  const effects: LinkEffect[] = [{ type: "keep", message }];
  if (link.isReady) effects.push(sendMessage(message));
  return [{ ...link, outbox: [...others, message] }, effects];
}

function withoutMessage(link: Link, tempId: string): LinkStep {
  const outbox = link.outbox.filter(({ temp_id }) => temp_id !== tempId);
  return [{ ...link, outbox }, [{ type: "drop", tempId }]];
}

function sendMessage({ attachments = [], ...message }: Outgoing): LinkEffect {
  const { session_id, content, temp_id, language, reply_to } = message;
  const more = { ...(language !== undefined && { language }), ...(reply_to !== undefined && { reply_to }) };
  const said = { session_id, content, temp_id, attachments, ...more };
  return send({ type: "send_message", id: temp_id, ...said });
}

function visibility(sessionId: string, visible: boolean): Frame {
  return { type: "web_visibility", session_id: sessionId, visible };
}

function whenReady({ isReady }: Link, frame: Frame): readonly LinkEffect[] {
  return isReady ? [send(frame)] : [];
}

function send(frame: Frame): LinkEffect {
  return { type: "send", frame };
}

function tell(frame: Frame): LinkEffect {
  return { type: "tell", frame };
}
