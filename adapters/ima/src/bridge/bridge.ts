import { type DeliveryError, deliveryFailure, type Logger } from "@parley/core";
import { isObject } from "@parley/core/json";
import { WebSocket } from "ws";
import { type BridgeEvent, type BridgeResponse, parseFrame } from "./frame.ts";
import type { ImaTiming } from "./timing.ts";

const MAX_OPEN_CALLS = 32;
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
export const CLOSE_CODES = { notText: 1003, malformed: 1007, replaced: 4001, otherAccount: 4003 } as const;

/** A socket to a bridge, for calls with responses and for events. */
export interface Bridge {
  /** Calls an action and returns the `data` of the response. Throws `DeliveryError`; `lost` is its failure when the outcome is unknown. */
  call(action: string, params: object, lost?: "ambiguous" | "unavailable", withinMs?: number): Promise<unknown>;
  /** True when the bridge rejected the token of this connection. */
  readonly wasTokenRejected: () => boolean;
  /** Resolves when the socket has ended; open calls have failed by then. */
  readonly ended: Promise<void>;
  /** Closes the socket with a code. */
  close(code: number): void;
  /** Closes the socket at once. */
  terminate(): void;
  /** Stops using the socket and returns it, still open; `ended` resolves. */
  release(): WebSocket;
}

export interface BridgeOptions {
  readonly socket: WebSocket;
  readonly timing: ImaTiming;
  readonly log: Logger;
  /** Called with one event after another, in order. */
  readonly onEvent: (event: BridgeEvent) => Promise<void>;
}

interface PendingCall {
  readonly action: string;
  readonly lost: "ambiguous" | "unavailable";
  readonly resolve: (answer: BridgeResponse) => void;
  readonly reject: (error: DeliveryError) => void;
}

/** Distinguishes late responses to an earlier bridge, also on the same socket. */
let generations = 0;

export function createBridge({ socket, timing, log, onEvent }: BridgeOptions): Bridge {
  generations += 1;
  const generation = generations;
  const open = new Map<string, PendingCall>();
  const waiting: (() => void)[] = [];
  let counter = 0;
  let rejected = false;
  let isEnded = false;
  let seenAt = performance.now();
  let heartbeatMs = 0;
  let isProbing = false;
  let handled: Promise<unknown> = Promise.resolve();

  const createLostCallError = ({ action, lost }: PendingCall, why: "bridge_lost" | "bridge_late") =>
    deliveryFailure(lost, why, { action });
  const settle = (answer: BridgeResponse) => {
    const call = open.get(answer.echo);
    open.delete(answer.echo);
    if (call) call.resolve(answer);
    else log.info("an answer of the bridge came too late", { echo: answer.echo });
    waiting.shift()?.();
  };
  const receive = (data: Buffer, isBinary: boolean) => {
    seenAt = performance.now();
    const frame = isBinary ? undefined : parseFrame(data.toString("utf8"));
    if (!frame) return socket.close(isBinary ? CLOSE_CODES.notText : CLOSE_CODES.malformed);
    if (frame.kind === "answer") return settle(frame.answer);
    if (frame.kind === "refused") {
      rejected = true;
      return socket.close();
    }
    if (frame.kind === "unknown") return log.debug("the bridge sent an unknown frame");
    const { event } = frame;
    if (event.meta_event_type === "heartbeat") heartbeatMs = Number(event.interval) || 0;
    handled = handled
      .then(() => onEvent(event))
      .catch((error: unknown) => {
        // The message is lost, because the bridge does not send it again; the connection continues.
        log.error("an event of the bridge could not be accepted", { error });
      });
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const stop = () => {
    if (isEnded) return;
    isEnded = true;
    clearInterval(watch);
    for (const call of open.values()) call.reject(createLostCallError(call, "bridge_lost"));
    open.clear();
    for (const next of waiting.splice(0)) next();
    end();
  };
  socket.on("message", receive);
  // Stays on a released socket, since an unhandled error event would end the process.
  socket.on("error", (error) => log.debug("the socket of the bridge failed", { error }));
  socket.on("close", stop);

  const call: Bridge["call"] = async (action, params, lost = "unavailable", withinMs = timing.callMs) => {
    while (open.size >= MAX_OPEN_CALLS && !isEnded) await new Promise<void>((resolve) => waiting.push(resolve));
    if (isEnded || socket.readyState !== WebSocket.OPEN) throw deliveryFailure("not_sent", "bridge_absent", { action });
    counter += 1;
    const echo = `${generation}:${counter}`;
    const { promise, resolve, reject } = Promise.withResolvers<BridgeResponse>();
    const one: PendingCall = { action, lost, resolve, reject };
    open.set(echo, one);
    const timer = setTimeout(() => {
      open.delete(echo);
      reject(createLostCallError(one, "bridge_late"));
      waiting.shift()?.();
    }, withinMs);
    socket.send(JSON.stringify({ action, params, echo }));
    try {
      return toResultData(action, await promise, lost);
    } finally {
      clearTimeout(timer);
    }
  };
  /** Probes the bridge after a silence, because a dead socket may not be reported. */
  const probeBridge = async () => {
    if (isProbing || performance.now() - seenAt < Math.max(timing.silenceMs, 3 * heartbeatMs)) return;
    isProbing = true;
    const late = setTimeout(() => socket.terminate(), timing.probeMs);
    try {
      await call("get_status", {});
    } catch (error) {
      log.warn("the bridge does not answer", { error });
      socket.terminate();
    } finally {
      clearTimeout(late);
      isProbing = false;
    }
  };
  const watch = setInterval(
    () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
      void probeBridge();
    },
    Math.min(timing.pingMs, timing.silenceMs),
  );
  return {
    call,
    wasTokenRejected: () => rejected,
    ended,
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
    release() {
      socket.off("message", receive).off("close", stop);
      stop();
      return socket;
    },
  };
}

/** Returns the data of a response, or throws the error that it reports. */
function toResultData(
  action: string,
  { status, retcode, data, text }: BridgeResponse,
  lost: "ambiguous" | "unavailable",
): unknown {
  if (status === "ok" || status === "async") return isObject(data) || Array.isArray(data) ? data : {};
  const options = { platformCode: String(retcode) };
  const params = { action, words: text || String(retcode) };
  if (retcode === 1400 || retcode === 1404) throw deliveryFailure("permanent", "bridge_refuses", params, options);
  if (/timeout|超时/i.test(text)) throw deliveryFailure(lost, "bridge_refuses", params, options);
  if (/mute|禁言|not a (?:friend|member)|不是.*(?:好友|成员)|permission|权限/i.test(text))
    throw deliveryFailure("permanent", "bridge_refuses", params, options);
  throw deliveryFailure("unavailable", "bridge_refuses", params, options);
}
