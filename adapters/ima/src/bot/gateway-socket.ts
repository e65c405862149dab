import { setTimeout as wait } from "node:timers/promises";
import type { ChannelIo } from "@parley/core";
import { WebSocket } from "ws";
import type { BotApi } from "./bot-api.ts";
import type { BotFrame } from "./decode.ts";

/** Group and direct messages, mentions in guilds, direct messages of guilds. */
const INTENTS = (1 << 25) | (1 << 30) | (1 << 12);
const HANDSHAKE_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
const AFTER_REFUSAL_MS = 300_000;
const HELLO = 10;
const IDENTIFY = 2;
const DISPATCH = 0;
const HEARTBEAT = 1;
const HEARTBEAT_ACK = 11;
const RESUME = 6;
const RECONNECT = 7;
const INVALID_SESSION = 9;

export interface GatewaySocketParts {
  readonly api: BotApi;
  readonly io: ChannelIo;
  /** Resolves once the event is stored. */
  readonly onFrame: (frame: BotFrame) => Promise<void>;
  readonly random: () => number;
  /** The first and the longest wait between two tries. */
  readonly backoffMs: readonly [first: number, most: number];
}

interface Session {
  id: string;
  /** Of the last event that is stored. */
  seq: number;
}

/** What a close code asks for. */
function afterClose(code: number): "resume" | "identify" | "stop" {
  if (code === 4_001 || code === 4_002 || (code >= 4_010 && code <= 4_015)) return "stop";
  if (code === 4_914 || code === 4_915) return "stop";
  return code === 4_006 || code === 4_007 || (code >= 4_900 && code <= 4_913) ? "identify" : "resume";
}

/** One socket at a time, which goes on where the last one ended. */
export function openGatewaySocket({ api, io, onFrame, random, backoffMs }: GatewaySocketParts): AsyncDisposable {
  const stopping = new AbortController();
  let session: Session | undefined;

  /** Serves one connection to its end; gives the code it was closed with. */
  const serve = async (url: string, token: string): Promise<number> => {
    const socket = new WebSocket(url, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_BYTES,
      perMessageDeflate: false,
    });
    const abandon = () => socket.terminate();
    stopping.signal.addEventListener("abort", abandon, { once: true });
    const { promise: closed, resolve } = Promise.withResolvers<number>();
    let beat: NodeJS.Timeout | undefined;
    let isAnswered = true;
    let handled: Promise<unknown> = Promise.resolve();
    const send = (frame: object) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(frame));
    const receive = async (frame: BotFrame) => {
      if (frame.op === HELLO) {
        const everyMs = Math.max(Number(frame.d?.heartbeat_interval) || 45_000, 10);
        clearInterval(beat);
        beat = setInterval(() => {
          if (!isAnswered) return socket.terminate();
          isAnswered = false;
          send({ op: HEARTBEAT, d: session?.seq ?? null });
        }, everyMs);
        const authorization = { token: `QQBot ${token}` };
        if (session) send({ op: RESUME, d: { ...authorization, session_id: session.id, seq: session.seq } });
        else send({ op: IDENTIFY, d: { ...authorization, intents: INTENTS, shard: [0, 1] } });
      }
      if (frame.op === HEARTBEAT_ACK) isAnswered = true;
      if (frame.op === RECONNECT) socket.close(4_000);
      if (frame.op === INVALID_SESSION) {
        session = undefined;
        socket.close(4_000);
      }
      if (frame.op !== DISPATCH) return;
      if (frame.t === "READY") session = { id: String(frame.d?.session_id), seq: frame.s ?? 0 };
      if (frame.t === "READY" || frame.t === "RESUMED") io.report({ connected: true });
      else await onFrame(frame);
      // Only what is stored is behind us: a new connection is sent the rest again.
      if (session && frame.s !== undefined) session.seq = frame.s;
    };
    socket.on("message", (text) => {
      handled = handled.then(async () => {
        const frame = JSON.parse(String(text)) as BotFrame;
        await receive(frame);
      });
      handled.catch((error: unknown) => {
        io.log.error("an event could not be taken; the connection is made anew", { error });
        socket.terminate();
      });
    });
    socket.on("error", (error) => io.log.debug("the socket failed", { error }));
    socket.on("close", (code) => {
      clearInterval(beat);
      stopping.signal.removeEventListener("abort", abandon);
      resolve(code);
    });
    return closed;
  };
  const run = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      let pause = 0;
      try {
        const token = await api.token(stopping.signal);
        const gateway = await api.call("GET", "/gateway/bot", undefined, stopping.signal);
        const limit = (gateway.session_start_limit ?? {}) as {
          readonly remaining?: number;
          readonly reset_after?: number;
        };
        if (limit.remaining === 0 && !session) {
          pause = limit.reset_after ?? AFTER_REFUSAL_MS;
          throw new Error("the platform takes no new connection now");
        }
        const began = performance.now();
        const code = await serve(checkedAddress(gateway.url), token);
        if (performance.now() - began > backoffMs[1]) failures = 0;
        const next = afterClose(code);
        if (next === "identify") session = undefined;
        if (next === "stop") pause = AFTER_REFUSAL_MS;
        throw new Error(next === "stop" ? `the platform refuses the bot (${code})` : "the connection was lost");
      } catch (error) {
        if (stopping.signal.aborted) return;
        io.report({ connected: false, error: (error as Error).message });
      }
      const bound = Math.min(backoffMs[1], backoffMs[0] * 2 ** Math.min(failures, 16));
      failures += 1;
      await wait(pause || random() * bound, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  io.report({ connected: false });
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

function checkedAddress(url: unknown): string {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  const isSocket = parsed?.protocol === "wss:" || parsed?.protocol === "ws:";
  if (!parsed || !isSocket || /^169\.254\.|^\[fe80:/i.test(parsed.hostname))
    throw new Error("the platform names an address that is not taken");
  return parsed.href;
}
