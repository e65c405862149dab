import { randomBytes } from "node:crypto";
import type { Clock, EventReaders, LiveEvent } from "@parley/core";

const MAX_EVENTS = 500;
const MAX_AGE_MS = 5 * 60_000;
const MAX_BYTES = 2 * 1024 * 1024;
/** Maximum bytes of all streams together; beyond it, the streams whose newest event is oldest are dropped. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
/** Events whose payload is needed when they are sent; for all others the serialized frame is enough. */
const PARSED_EVENT_TYPES = new Set(["ai_stream_start", "ai_stream_chunk", "ai_stream_end"]);
const NO_PAYLOAD: LiveEvent["payload"] = {};

/** The stream of events without a session. */
export const CONSOLE_STREAM = "@console";

/** One event as sent; durable ones are numbered. */
export interface StreamedEvent {
  readonly stream: string;
  readonly type: string;
  readonly seq: number | undefined;
  readonly payload: LiveEvent["payload"];
  readonly frame: string;
  /** Absent: everyone with the scope `read`. */
  readonly readers?: EventReaders;
}

export type Replay =
  | { readonly kind: "events"; readonly events: readonly StreamedEvent[] }
  /** Some requested events are unavailable. */
  | { readonly kind: "gap" };

/** The numbered events of each session; the newest are stored in memory for reconnecting clients. */
export interface Streams {
  /** Random per process; event numbers of other epochs are meaningless. */
  readonly epoch: string;
  /** Numbers a durable event and stores it in the buffer; returns others without a number. */
  append(event: LiveEvent): StreamedEvent;
  /** The number of the newest durable event; 0 before the first. */
  getNewestSeq(stream: string): number;
  replayAfter(stream: string, seq: number): Replay;
}

interface BufferedEvent extends StreamedEvent {
  readonly seq: number;
  /** Monotonic milliseconds. */
  readonly at: number;
}

interface Stream {
  newest: number;
  bytes: number;
  events: BufferedEvent[];
}

export function createStreams(clock: Clock): Streams {
  // Ordered by newest event, oldest first, so that expired streams are found without a scan.
  const streams = new Map<string, Stream>();
  // Last numbers of streams whose events were dropped, so that numbering continues.
  const ended = new Map<string, number>();
  const newest = (name: string) => streams.get(name)?.newest ?? ended.get(name) ?? 0;
  const oldest = () => clock.monotonic() - MAX_AGE_MS;
  let bytes = 0;
  const shift = (stream: Stream) => {
    const length = stream.events.shift()?.frame.length ?? 0;
    stream.bytes -= length;
    bytes -= length;
  };
  const prune = () => {
    for (const [name, stream] of streams) {
      if (bytes <= MAX_TOTAL_BYTES && (stream.events.at(-1)?.at ?? 0) > oldest()) break;
      streams.delete(name);
      bytes -= stream.bytes;
      ended.set(name, stream.newest);
    }
  };
  const renew = (name: string): Stream => {
    const stream = streams.get(name) ?? { newest: newest(name), bytes: 0, events: [] };
    ended.delete(name);
    streams.delete(name);
    streams.set(name, stream);
    return stream;
  };

  return {
    epoch: randomBytes(4).toString("hex"),
    getNewestSeq: newest,
    append(event) {
      const name = event.session_id ?? CONSOLE_STREAM;
      if (!event.durable) return toUnnumberedEvent(event, name, clock.now());
      const { type, payload, readers } = event;
      prune();
      const stream = renew(name);
      const seq = ++stream.newest;
      const frame = toFrame(event, clock, seq);
      const sent = { stream: name, type, seq, payload, frame, at: clock.monotonic(), ...(readers && { readers }) };
      stream.events.push(PARSED_EVENT_TYPES.has(type) ? sent : { ...sent, payload: NO_PAYLOAD });
      stream.bytes += frame.length;
      bytes += frame.length;
      while (stream.events.length > MAX_EVENTS || stream.bytes > MAX_BYTES) shift(stream);
      while ((stream.events[0]?.at ?? Number.POSITIVE_INFINITY) <= oldest()) shift(stream);
      return sent;
    },
    replayAfter(name, seq) {
      if (seq === newest(name)) return { kind: "events", events: [] };
      const events = (streams.get(name)?.events ?? []).filter(({ at }) => at > oldest());
      const first = events[0]?.seq;
      if (seq > newest(name) || first === undefined || first > seq + 1) return { kind: "gap" };
      return { kind: "events", events: events.filter((event) => event.seq > seq) };
    },
  };
}

/** Serializes an unnumbered event only when it is read, since most have no listener. */
function toUnnumberedEvent(event: LiveEvent, stream: string, atMs: number): StreamedEvent {
  let frame: string | undefined;
  return {
    stream,
    type: event.type,
    seq: undefined,
    ...(event.readers && { readers: event.readers }),
    get payload() {
      return event.payload;
    },
    get frame() {
      frame ??= toFrame(event, { now: () => atMs });
      return frame;
    },
  };
}

function toFrame({ type, session_id, payload }: LiveEvent, clock: Pick<Clock, "now">, seq?: number): string {
  return JSON.stringify({
    type,
    ...(seq !== undefined && { seq }),
    ...(session_id !== undefined && { session_id }),
    ...payload,
    timestamp: new Date(clock.now()).toISOString(),
  });
}
