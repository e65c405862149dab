import type { AppError, ChannelIo } from "@parley/core";
import { type ConnectionStatus, STOPPED_CONNECTION } from "@parley/core/channels";
import type { EventBody } from "./event-security.ts";
import { imcTexts } from "./texts.ts";

const READY_TIMEOUT_MS = 15_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const PONG_TIMEOUT_S = 30;
const MIN_RETRY_MS = 30_000;
const MAX_RETRY_MS = 600_000;

export interface LongConnectionOptions {
  readonly appId: string;
  readonly appSecret: string;
  readonly domain: string;
  readonly io: ChannelIo;
  /** Handles an event. The event is acknowledged, with this answer, when this resolves, which means that it is stored. */
  readonly onEvent: (event: EventBody) => Promise<object | undefined>;
  readonly report: (status: ConnectionStatus) => void;
  readonly now: () => number;
  readonly random: () => number;
}

type WsClient = InstanceType<typeof import("@larksuiteoapi/node-sdk")["WSClient"]>;

/**
 * Keeps one connection open until it is disposed. Rejects, and closes everything, when the first connection is rejected
 * or takes longer than 15 s.
 */
export async function openLongConnection(
  options: LongConnectionOptions,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const { appId, appSecret, domain, io, onEvent, now, random } = options;
  if (!/^cli_[0-9a-fA-F]{16}$/.test(appId)) throw imcTexts.error("bad_request", "app_shape", {}, { field: "app_id" });
  // A large library, loaded only for this transport.
  const { WSClient, LoggerLevel } = await import("@larksuiteoapi/node-sdk");
  signal.throwIfAborted();
  let status: ConnectionStatus = { ...STOPPED_CONNECTION, state: "connecting" };
  let client: WsClient | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;
  const ready = Promise.withResolvers<void>();

  const change = (fields: Partial<ConnectionStatus>, failure?: AppError) => {
    if (isClosed) return;
    status = { ...status, ...fields };
    options.report(status);
    const connected = status.state === "connected";
    const { message: error, detail } = failure ?? {};
    io.report({ connected, ...(error !== undefined && { error }), ...(detail && { detail }) });
  };
  const onConnected = () => {
    failures = 0;
    change({ state: "connected", connected_at: new Date(now()).toISOString() });
    ready.resolve();
  };
  /** Restarts the connection when the library stops after some rejections. */
  const onGaveUp = (error: Error) => {
    const failure = imcTexts.error("upstream_failed", "platform", { reason: error.message });
    change({ state: "error" }, failure);
    ready.reject(failure);
    if (isClosed) return;
    failures += 1;
    const bound = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(failures, 6));
    retryTimer = setTimeout(connect, MIN_RETRY_MS + random() * (bound - MIN_RETRY_MS));
  };
  const connect = () => {
    if (isClosed) return;
    client?.close({ force: true });
    client = new WSClient({
      appId,
      appSecret,
      domain,
      loggerLevel: LoggerLevel.fatal,
      httpInstance: createHttpClient(io.fetch) as never,
      handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
      wsConfig: { pingTimeout: PONG_TIMEOUT_S },
      onReady: onConnected,
      onReconnected: onConnected,
      onReconnecting: () =>
        change({ state: "reconnecting", reconnects: status.reconnects + 1 }, imcTexts.error("unavailable", "lost")),
      onError: onGaveUp,
    });
    const dispatcher = {
      // An error here is reported to the platform, which sends the event again.
      async invoke(event: unknown) {
        if (isClosed) throw new Error("the channel is closed");
        const answer = await onEvent(event as EventBody);
        change({ last_event_at: new Date(now()).toISOString() });
        return answer;
      },
    };
    client.start({ eventDispatcher: dispatcher as never }).catch(onGaveUp);
  };
  const stop = () => {
    isClosed = true;
    clearTimeout(retryTimer);
    client?.close({ force: true });
  };
  const late = setTimeout(() => ready.reject(imcTexts.error("timed_out", "not_taken")), READY_TIMEOUT_MS);
  const abort = () => ready.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  change({});
  connect();
  try {
    await ready.promise;
  } catch (error) {
    stop();
    throw error;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", abort);
  }
  return {
    async [Symbol.asyncDispose]() {
      stop();
    },
  };
}

interface HttpOptions {
  readonly url: string;
  readonly method?: string;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeout?: number;
}

/** Creates the HTTP client of the library over egress. The library requests only the address of the connection. */
function createHttpClient(ask: typeof fetch) {
  return {
    async request({
      url,
      method = "get",
      data,
      headers = {},
      timeout = HANDSHAKE_TIMEOUT_MS,
    }: HttpOptions): Promise<unknown> {
      const response = await ask(url, {
        method: method.toUpperCase(),
        headers: { "content-type": "application/json", ...headers },
        ...(data !== undefined && { body: JSON.stringify(data) }),
        redirect: "manual",
        signal: AbortSignal.timeout(timeout),
      });
      const answer = (await response.json()) as { readonly data?: { readonly URL?: string } };
      checkAddress(answer.data?.URL);
      return { data: {}, ...answer };
    },
  };
}

/** Checks the address from the platform: a WebSocket URL that is not link-local. */
function checkAddress(address: string | undefined): void {
  if (address === undefined) return;
  const url = URL.parse(address);
  const isSocket = url?.protocol === "wss:" || url?.protocol === "ws:";
  if (!isSocket || /^169\.254\.|^\[fe80:/i.test(url.hostname))
    throw new Error("the platform names an address that is not taken");
}
