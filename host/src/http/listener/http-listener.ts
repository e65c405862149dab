import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { AppError, formatFailure, type Logger, SocketEndpoints, toSharedProblem } from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import { createApplication, type OnAnswer } from "../application.ts";
import type { HttpGeneration } from "../http-generation.ts";
import { formatDetailHeader, readLanguage } from "../responses.ts";
import { createAdmission } from "./admission.ts";
import { closeGracefully } from "./graceful-close.ts";
import { createRequestDispatcher } from "./request-dispatcher.ts";
import { createUpgradeRouter } from "./upgrade-router.ts";

// Uses the built-in module, because an import statement would evaluate all its exports, including Node's WebSocket client.
const { createServer } = process.getBuiltinModule("node:http");
const DRAIN_TIMEOUT_MS = 5_000;

export interface MountedGeneration {
  /** Stops serving. With `follows`, new requests wait for the next generation and running ones are awaited. */
  end(next: "follows" | "none"): Promise<void>;
}

/** The listening socket. It outlives generations, because a reload never closes it. */
export interface HttpListener extends AsyncDisposable {
  readonly server: Server;
  /** `http://127.0.0.1:5000` */
  readonly address: string;
  /** Serves a generation's routes. Between two generations requests wait, and get 503 when that takes too long. */
  mount(generation: HttpGeneration): Promise<MountedGeneration>;
  /** Accepts no new connections and waits, at most 5 s, for running requests. */
  drain(): Promise<void>;
}

export interface HttpListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** Called with every answer before it is sent; for tests. */
  readonly onAnswer?: OnAnswer | undefined;
  /** Maximum wait of a request for the next generation, in milliseconds. Default 2 s. */
  readonly waitTimeoutMs?: number | undefined;
}

/** Starts to listen; throws a readable error when the address is unavailable. */
export async function createHttpListener(deps: HttpListenerOptions): Promise<HttpListener> {
  const { host, port, log, onAnswer, waitTimeoutMs } = deps;
  const server = createServer({
    keepAliveTimeout: 10_000,
    headersTimeout: 20_000,
    requestTimeout: 120_000,
    // Upgrades to other protocols are optional; the request is answered normally.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
  });
  const dispatcher = createRequestDispatcher(waitTimeoutMs);
  const admission = createAdmission();
  const lastRequests = new WeakMap<Socket, IncomingMessage>();

  server.on("connection", (socket) => closeGracefully(socket, () => lastRequests.get(socket)));
  server.on("request", (request, response) => {
    lastRequests.set(request.socket, request);
    const begin = () => dispatcher.request(request, response, () => answerUnavailable(request, response, "restarting"));
    admission.admit(request, response, begin, () => answerUnavailable(request, response, "too_many_at_once"));
  });
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  server.on("upgrade", (request, stream, head) => {
    stream.on("error", (error) => log.debug("connection lost", { error }));
    dispatcher.upgrade(request, stream, head);
  });
  server.listen(port, host);
  await once(server, "listening").catch((error) => {
    throw new AppError("unavailable", describeListenError(error, host, port), { cause: error });
  });
  return {
    server,
    address: toAddress(server),
    async mount(generation) {
      const handleUpgrade = createUpgradeRouter(generation.from.all(SocketEndpoints), log);
      const application = await createApplication(generation, {
        boundTo: (server.address() as AddressInfo).address,
        setAuthenticated: admission.setAuthenticated,
        onAnswer,
      });
      const handlers = { serve: application.serve, letIn: handleUpgrade };
      dispatcher.begin(handlers);
      return {
        async end(next) {
          await dispatcher.end(handlers, next);
          await application.stop();
        },
      };
    },
    async drain() {
      server.close();
      server.closeIdleConnections();
      await resolveWithin(admission.whenIdle(), DRAIN_TIMEOUT_MS);
    },
    async [Symbol.asyncDispose]() {
      const closed = server.listening ? once(server, "close") : Promise.resolve();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  key: "restarting" | "too_many_at_once",
): void {
  const { error, detail } = toSharedProblem(key, {});
  const sentence = formatFailure({ error, detail }, readLanguage(request));
  const body = JSON.stringify({ success: false, error: sentence, code: "unavailable" });
  response.writeHead(503, {
    "content-type": "application/json",
    "retry-after": "1",
    "cache-control": "no-store",
    "x-parley-error": formatDetailHeader(detail),
  });
  response.end(body);
}

function toAddress(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const everywhere = address === "::" || address === "0.0.0.0";
  const shown = everywhere ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `http://${shown}:${port}`;
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE")
    return `port ${port} on ${host} is in use: stop what uses it or choose another with --port`;
  if (error.code === "EACCES") return `port ${port} on ${host} may not be used by this user`;
  return `${host}:${port} cannot be listened on: ${error.code ?? error.message}`;
}
