import { setTimeout as wait } from "node:timers/promises";
import type { LiveEvent, Logger } from "@parley/core";
import pg from "pg";
import { toReason } from "../connection/failures.ts";

const CHANNEL = "parley_events";
/** Events within this time are sent together; the delay is imperceptible. */
const BATCH_DELAY_MS = 20;
/** Maximum size of a part before encoding: PostgreSQL limits a notification to 8,000 bytes. */
const MAX_PART_BYTES = 5_400;
/** Maximum size of the events that are sent together; if they are larger, none of them is sent. */
const MAX_BYTES = 512 * 1024;
/** Maximum events that wait to be sent; more are dropped, and all while the server is unreachable. */
const MAX_WAITING = 2_000;
const RECONNECT_MS = 500;
/** Types of events that stay on their node, because they are about its log or its connections. */
const LOCAL_EVENT_TYPES: ReadonlySet<string> = new Set(["gateway_event", "channel_status"]);

export interface LiveEventBridge {
  /** Sends an event to the other nodes. */
  send(event: LiveEvent): void;
  close(): Promise<void>;
}

export interface LiveEventBridgeDeps {
  readonly node: string;
  readonly options: pg.ClientConfig;
  readonly log: Logger;
  /** Called for each event of another node, in the order in which that node published it. */
  readonly onEvent: (event: LiveEvent) => void;
}

/** Sends live events between nodes. Best effort: events during an interruption are lost, and nothing depends on them. */
export function openLiveEventBridge({ node, options, log, onEvent }: LiveEventBridgeDeps): LiveEventBridge {
  const waiting: LiveEvent[] = [];
  const parts = new Map<string, string[]>();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isSending = false;

  const receive = (payload: string) => {
    const [from = "", at, all, text = ""] = payload.split(" ");
    if (from === node) return;
    const own = at === "1" ? [] : (parts.get(from) ?? []);
    own.push(text);
    parts.set(from, own);
    if (at !== all) return;
    parts.delete(from);
    // The first parts may have been sent before this node subscribed.
    if (own.length !== Number(all)) return;
    for (const event of JSON.parse(
      Buffer.concat(own.map((one) => Buffer.from(one, "base64"))).toString(),
    ) as LiveEvent[])
      onEvent(event);
  };
  const run = async () => {
    while (!closing.signal.aborted) {
      const opened = new pg.Client({ ...options, application_name: "parley events" });
      const { promise: broken, resolve: end } = Promise.withResolvers<void>();
      opened.on("error", () => end());
      opened.on("end", () => end());
      opened.on("notification", ({ payload = "" }) => receive(payload));
      closing.signal.addEventListener("abort", () => end(), { once: true });
      try {
        await opened.connect();
        await opened.query(`listen ${CHANNEL}`);
        client = opened;
        await broken;
      } catch (error) {
        log.debug("events of other nodes cannot be received", { reason: toReason(error) });
      }
      client = undefined;
      opened.end().catch(() => {});
      await wait(RECONNECT_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  };
  const send = async () => {
    timer = undefined;
    if (isSending) return;
    isSending = true;
    while (waiting.length > 0) {
      const events = waiting.splice(0, 100).map((event) => ({ ...event, payload: event.payload }));
      const bytes = Buffer.from(JSON.stringify(events));
      if (!client || bytes.length > MAX_BYTES) continue;
      const all = Math.ceil(bytes.length / MAX_PART_BYTES);
      const texts = Array.from({ length: all }, (_, at) => {
        const part = bytes.subarray(at * MAX_PART_BYTES, (at + 1) * MAX_PART_BYTES).toString("base64");
        return `${node} ${at + 1} ${all} ${part}`;
      });
      // The parts are sent by one statement, so that they arrive in order.
      const query = `select pg_notify('${CHANNEL}', text) from unnest($1::text[]) with ordinality as part (text, at) order by at`;
      await client
        .query(query, [texts])
        .catch((error) => log.debug("events could not be sent to other nodes", { reason: toReason(error) }));
    }
    isSending = false;
  };
  const running = run();
  return {
    send(event) {
      if (LOCAL_EVENT_TYPES.has(event.type) || !client || waiting.length >= MAX_WAITING) return;
      waiting.push(event);
      timer ??= setTimeout(() => void send(), BATCH_DELAY_MS);
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
