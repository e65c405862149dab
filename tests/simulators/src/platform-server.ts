import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { createChangeWatcher } from "./change-watcher.ts";
import { createFaults, type FaultOptions, type Faults, type InjectedFault } from "./faults.ts";
import { createSimulatorSockets, type SimulatorSockets } from "./simulator-sockets.ts";

/** Options of all simulators. */
export interface SimulatorOptions {
  /** Port; default: a free one. */
  readonly port?: number;
  /** Seeded faults; default: none. */
  readonly faults?: FaultOptions;
  /** Ids of events and messages are greater than this one; default 5,000. */
  readonly firstId?: number;
}

/** Interface of all simulators. Disposing one ends its connections, timers and waits. */
export interface Simulator<Call> extends AsyncDisposable {
  /** All calls, oldest first, whatever their outcome. */
  readonly calls: readonly Call[];
  /** Injected faults, oldest first. */
  readonly injected: readonly InjectedFault[];
  /** Resolves with the first result of `look`, now or after a change. Rejects when the simulator stops first. */
  waitFor<Found>(look: () => Found | undefined | false): Promise<Found>;
}

/** A simulator with people in conversations. Conversation ids have the adapter's form. */
export interface Platform<Call> extends Simulator<Call> {
  /** Sends a message of a person to the bot. Resolves when the event was sent; with a webhook, when the service has accepted it. */
  say(conversation: string, text: string, more?: object): Promise<void>;
  /** Texts of the bot that people see in a conversation, oldest first. */
  shown(conversation: string): readonly string[];
}

export interface HttpCall {
  readonly method: string;
  /** Path including the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly response: ServerResponse;
  /** Returns the body as JSON; `{}` for none. */
  body(): Readonly<Record<string, unknown>>;
}

/** `drop` ends the connection; `leave` sends nothing: the connection stays open, or the simulator writes to `response` itself. */
export type HttpAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Text and bytes are sent unchanged, everything else as JSON. */
      readonly body: unknown;
    }
  | "drop"
  | "leave";

/** Answers to one call: the right one, and those of the faults. */
export interface Outcomes<Answer> {
  /** Executes the call and returns the right answer. */
  done(): Answer;
  tooMany(): Answer;
  serverError(isDone: boolean): Answer;
  /** Returns a false success. Absent for queries, where no success can be false. */
  readonly lyingOk?: (() => Answer) | undefined;
  halfOpen(): Answer;
}

/** Delivery of one event. */
export interface Announcement {
  deliver(): void | Promise<void>;
  /** Sends the event over a connection that then goes silent. */
  halfOpen(): void | Promise<void>;
}

export interface PlatformServerOptions {
  readonly options: SimulatorOptions;
  readonly serve?: (call: HttpCall) => HttpAnswer | Promise<HttpAnswer>;
  /** Path of its sockets; default: every path. */
  readonly socketPath?: string;
  /** Called with an opened socket, which must be `adopt`ed or closed. */
  readonly connected?: (socket: WebSocket, request: IncomingMessage) => void;
  readonly heard?: (socket: WebSocket, frame: Buffer) => void;
}

/** Base of all simulators, also for those of third-party platforms. */
export interface PlatformServer<Call> extends SimulatorSockets {
  /** `127.0.0.1:<port>` */
  readonly authority: string;
  readonly simulator: Simulator<Call>;
  /** Returns a unique id for an event or message. */
  nextId(): number;
  record(call: Call): void;
  /** Checks all waiting conditions again. */
  changed(): void;
  /** Executes a call, or the fault that the seed decides. */
  perform<Answer>(call: string, about: string, outcomes: Outcomes<Answer>): Promise<Answer>;
  /** Sends an event with the seeded faults; without faults at once. */
  announce(about: string, announcement: Announcement): Promise<void>;
  /** Aborted when the simulator stops. */
  readonly stopping: AbortSignal;
}

/** Milliseconds that a reordered event waits for the next one. */
const REORDER_HOLD_MS = 50;
const FIRST_ID = 5_000;

export async function startPlatformServer<Call>({
  options,
  serve = () => ({ status: 404, body: {} }),
  socketPath,
  connected = (socket) => socket.close(),
  heard = () => {},
}: PlatformServerOptions): Promise<PlatformServer<Call>> {
  const faults = createFaults(options.faults);
  const stopping = new AbortController();
  const calls: Call[] = [];
  let lastId = options.firstId ?? FIRST_ID;
  const { changed, waitFor } = createChangeWatcher(stopping.signal);
  const wires = createSimulatorSockets({ onFrame: heard, changed });
  const server = createServer((request, response) => {
    answerHttp(request, response, serve).catch((error: unknown) => response.destroy(error as Error));
  });
  const socketServer = new WebSocketServer({
    server,
    autoPong: false,
    ...(socketPath !== undefined && { path: socketPath }),
  });
  socketServer.on("connection", connected);
  // The same error is also thrown where the port is awaited.
  socketServer.on("error", changed);
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...wires,
    ...createFaultInjection(faults, changed, stopping.signal),
    authority: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    changed,
    stopping: stopping.signal,
    nextId() {
      lastId += 1;
      return lastId;
    },
    record(call) {
      calls.push(call);
      changed();
    },
    simulator: {
      calls,
      injected: faults.injected,
      waitFor,
      async [Symbol.asyncDispose]() {
        if (stopping.signal.aborted) return;
        stopping.abort();
        changed();
        for (const socket of [...wires.sockets, ...socketServer.clients]) socket.terminate();
        socketServer.close();
        server.close();
        server.closeAllConnections();
        await once(server, "close");
      },
    },
  };
}

/** Creates the seeded faults of calls and events. */
function createFaultInjection(
  faults: Faults,
  changed: () => void,
  stopping: AbortSignal,
): Pick<PlatformServer<unknown>, "perform" | "announce"> {
  const pendingEvents: (() => void)[] = [];
  const pause = (ms: number) => wait(ms, undefined, { signal: stopping });
  return {
    async perform(call, about, outcomes) {
      const { kind, isDone, delayMs } = faults.ofCall(call, about, outcomes.lyingOk !== undefined);
      changed();
      const chooseAnswer = () => {
        const instead = kind && outcomes[kind];
        if (!instead) return outcomes.done();
        if (isDone) outcomes.done();
        return instead(isDone);
      };
      const answer = chooseAnswer();
      if (delayMs > 0) await pause(delayMs);
      return answer;
    },
    async announce(about, { deliver, halfOpen }) {
      const { delayMs, isReordered, isHalfOpen, isDuplicated } = faults.ofEvent(about);
      changed();
      try {
        if (delayMs > 0) await pause(delayMs);
        if (isReordered)
          await Promise.race([new Promise<void>((resolve) => pendingEvents.push(resolve)), pause(REORDER_HOLD_MS)]);
        await Promise.all(isHalfOpen ? [halfOpen()] : isDuplicated ? [deliver(), deliver()] : [deliver()]);
      } catch (error) {
        if (!stopping.aborted) throw error;
      } finally {
        if (!isReordered) for (const release of pendingEvents.splice(0)) release();
      }
    },
  };
}

async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  serve: NonNullable<PlatformServerOptions["serve"]>,
): Promise<void> {
  const raw = Buffer.concat(await request.toArray());
  const { method = "GET", url: path = "/", headers } = request;
  const body = () => JSON.parse(raw.toString("utf8") || "{}");
  const answer = await serve({ method, path, headers, raw, response, body });
  if (answer === "leave") return;
  if (answer === "drop") return void request.socket.destroy();
  const { body: responseBody } = answer;
  const isBytes = responseBody instanceof Uint8Array;
  const type = isBytes
    ? "application/octet-stream"
    : typeof responseBody === "string"
      ? "text/html"
      : "application/json";
  response.writeHead(answer.status ?? 200, { "content-type": type, ...answer.headers });
  response.end(isBytes || typeof responseBody === "string" ? responseBody : JSON.stringify(responseBody));
}
