import type { CallToolResult, Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Clock, type Logger } from "@parley/core";
import type { InstallationId } from "../../installation-id.ts";
import { ServerConnectionError } from "../../server-connection-error.ts";
import { mcpBridgeTexts } from "../../texts.ts";
import { BUILTIN_ID, type Entry, type ServerInfo } from "../servers/entry.ts";
import type { ToolListing, ToolWarning } from "../tools/read-tools.ts";
import { sanitizeText } from "../tools/sanitize-text.ts";
import type { DialedTransport } from "./dial.ts";
import { getHttpStatus, getRejectionStatus, isConnectionFailure, isSignInRequired, toAppError } from "./errors.ts";
import { type StoredReason, toReason, toStoredReason } from "./reasons.ts";
import type { RemoteCall, RemoteClient } from "./remote-client.ts";
import { createSemaphore } from "./semaphore.ts";

/** Minimum timeout of the handshake; an entry with a longer timeout gets its own, since its package may be fetched first. */
const INITIALIZE_MS = 10_000;
const DEBOUNCE_MS = 300;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 300_000;
const MAX_CONCURRENT_CALLS = 4;
/** Replaces a client after this many calls, since it accumulates listeners. */
const MAX_CALLS_PER_CLIENT = 1_000;

export interface ConnectionDeps {
  readonly entry: () => Entry;
  readonly dial: (entry: Entry) => Promise<DialedTransport>;
  /** Version of the service. */
  readonly version: string;
  /** Returns true when the installation id that a server reports is our own. */
  readonly isOurs: InstallationId["isOwn"];
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Masks secrets, which a server may repeat in its output. */
  readonly mask: (text: string) => string;
  /** Called when the state or the tools have changed. */
  readonly onChange: () => void;
}

export interface ConnectionStatus {
  readonly isConnected: boolean;
  /** True during a connection attempt. */
  readonly isConnecting: boolean;
  readonly serverInfo: ServerInfo | null;
  readonly lastConnectedAt: string | null;
  readonly lastError: string | null;
  readonly lastErrorDetail: StoredReason["detail"];
  /** Time of the first failed attempt or lost connection since the last success; null while connected and after `disconnect`. */
  readonly downSince: string | null;
}

/** A connection to one server. It polls nothing, so an unused connection costs nothing. */
export interface Connection {
  status(): ConnectionStatus;
  tools(): readonly RemoteTool[];
  warnings(): readonly ToolWarning[];
  /** Connects, or joins an attempt that is running; resolves at once when connected, rejects with the reason on failure. */
  connect(): Promise<void>;
  /** Disconnects, and cancels a running attempt. */
  disconnect(): Promise<void>;
  /** Calls a tool; rejects with `unavailable` when not connected. */
  call(call: RemoteCall): Promise<CallToolResult>;
}

interface OpenConnection {
  readonly client: RemoteClient;
  readonly dialed: DialedTransport;
  /** Tools at the time it was opened. */
  readonly listing: ToolListing;
  calls: number;
}

/** The state of one connection. */
interface ConnectionState {
  readonly deps: ConnectionDeps;
  readonly semaphore: ReturnType<typeof createSemaphore>;
  live: OpenConnection | undefined;
  /** True from the first successful connection until a disconnect; a lost connection is then opened again. */
  isWanted: boolean;
  attempt: Promise<void> | undefined;
  /** Cancels the connection attempt in progress; undefined when there is none. */
  cancelOpening: (() => Promise<void>) | undefined;
  /** Counter raised by each disconnect; results of an older epoch are ignored. */
  epoch: number;
  retry: NodeJS.Timeout | undefined;
  tries: number;
  refresh: NodeJS.Timeout | undefined;
  serverInfo: ServerInfo | null;
  lastConnectedAt: string | null;
  lastReason: StoredReason | undefined;
  downSince: string | null;
  tools: readonly RemoteTool[];
  warnings: readonly ToolWarning[];
}

export function createConnection(deps: ConnectionDeps): Connection {
  const state: ConnectionState = {
    deps,
    semaphore: createSemaphore(MAX_CONCURRENT_CALLS),
    live: undefined,
    isWanted: false,
    attempt: undefined,
    cancelOpening: undefined,
    epoch: 0,
    retry: undefined,
    tries: 0,
    refresh: undefined,
    serverInfo: null,
    lastConnectedAt: null,
    lastReason: undefined,
    downSince: null,
    tools: [],
    warnings: [],
  };
  return {
    status: () => toStatus(state),
    tools: () => state.tools,
    warnings: () => state.warnings,
    connect: () => connect(state),
    disconnect: () => disconnect(state),
    call: (request) => call(state, request),
  };
}

function toStatus(state: ConnectionState): ConnectionStatus {
  const { live, attempt, serverInfo, lastConnectedAt, lastReason, downSince } = state;
  return {
    isConnected: live !== undefined,
    isConnecting: attempt !== undefined,
    serverInfo,
    lastConnectedAt,
    lastError: lastReason?.error ?? null,
    lastErrorDetail: lastReason?.detail ?? null,
    downSince,
  };
}

function connect(state: ConnectionState): Promise<void> {
  if (state.live) return Promise.resolve();
  if (state.attempt) return state.attempt;
  const begun = begin(state);
  state.deps.onChange();
  return begun;
}

function begin(state: ConnectionState): Promise<void> {
  state.attempt = establish(state);
  return state.attempt;
}

async function establish(state: ConnectionState): Promise<void> {
  clearTimeout(state.retry);
  const { epoch } = state;
  const { clock, mask, onChange } = state.deps;
  try {
    const opened = await open(state);
    if (epoch !== state.epoch) {
      release(state, opened);
      throw mcpBridgeTexts.error("conflict", "disconnected");
    }
    adopt(state, opened);
    onChange();
  } catch (error) {
    if (epoch === state.epoch) {
      state.attempt = undefined;
      state.lastReason = toStoredReason({ error, mask });
      state.downSince ??= new Date(clock.now()).toISOString();
      onChange();
      scheduleRetry(state, error);
    }
    throw error;
  }
}

async function open(state: ConnectionState): Promise<OpenConnection> {
  const { entry, dial, isOurs, version, mask } = state.deps;
  const wanted = entry();
  const { createRemoteClient } = await import("./remote-client.ts");
  const dialed = await dial(wanted);
  const client = createRemoteClient(version);
  const cancel = () => dialed.close(client);
  state.cancelOpening = cancel;
  try {
    await client.connect(dialed.transport, getInitializeTimeoutMs(wanted));
    const listing = await readTools(client, wanted);
    // Otherwise models would get every tool twice, and call it with the rights of a key instead of the requester's.
    if (wanted.id !== BUILTIN_ID && (await isOurs(listing.installationId)))
      throw mcpBridgeTexts.error("permission_denied", "ourselves");
    return { client, dialed, listing, calls: 0 };
  } catch (error) {
    const reason = toReason({ error, cause: dialed.cause(), mask });
    await dialed.close(client);
    throw toAppError(error, reason);
  } finally {
    if (state.cancelOpening === cancel) state.cancelOpening = undefined;
  }
}

/** Makes an opened connection the current one. */
function adopt(state: ConnectionState, opened: OpenConnection): void {
  const { name = "", version = "" } = opened.client.serverVersion() ?? {};
  Object.assign(state, {
    attempt: undefined,
    live: opened,
    isWanted: true,
    tries: 0,
    tools: opened.listing.tools,
    warnings: opened.listing.warnings,
    serverInfo: {
      name: sanitizeText(name, 200),
      version: sanitizeText(version, 100),
      protocol_version: getProtocolVersion(opened.dialed) ?? "",
    },
    lastConnectedAt: new Date(state.deps.clock.now()).toISOString(),
    lastReason: undefined,
    downSince: null,
  } satisfies Partial<ConnectionState>);
  watch(state, opened);
}

function watch(state: ConnectionState, own: OpenConnection): void {
  const { entry, log } = state.deps;
  own.client.watch({
    onToolsChanged() {
      clearTimeout(state.refresh);
      state.refresh = setTimeout(() => {
        refreshTools(state, own).catch((error: unknown) => log.warn("tools could not be reloaded", { error }));
      }, DEBOUNCE_MS);
    },
    onClosed: () =>
      onConnectionLost(state, own, new ServerConnectionError(mcpBridgeTexts.error("unavailable", "server_closed"))),
    onError(error) {
      log.debug("a connection to a server reported an error", { server: entry().id, error });
      // The library tries twice to reopen a stream, then stops.
      if (/Maximum reconnection attempts/.test(error.message)) onConnectionLost(state, own, error);
    },
  });
}

async function refreshTools(state: ConnectionState, own: OpenConnection): Promise<void> {
  const { tools, warnings } = await readTools(own.client, state.deps.entry());
  if (state.live !== own) return;
  Object.assign(state, { tools, warnings } satisfies Partial<ConnectionState>);
  state.deps.onChange();
}

function readTools(client: RemoteClient, entry: Entry): Promise<ToolListing> {
  return client.readTools(AbortSignal.timeout(getInitializeTimeoutMs(entry)));
}

function getInitializeTimeoutMs(entry: Entry): number {
  return Math.max(INITIALIZE_MS, entry.timeout_s * 1000);
}

function onConnectionLost(state: ConnectionState, own: OpenConnection, error: unknown): void {
  if (state.live !== own) return;
  const { entry, clock, log, mask, onChange } = state.deps;
  const reason = toStoredReason({ error, cause: own.dialed.cause(), mask });
  state.live = undefined;
  state.tools = [];
  state.lastReason = reason;
  state.downSince ??= new Date(clock.now()).toISOString();
  log.info("a server disconnected", { server: entry().id, reason: reason.error });
  release(state, own);
  onChange();
  scheduleRetry(state, error);
}

function release({ deps: { log } }: ConnectionState, { client, dialed }: OpenConnection): void {
  dialed.close(client).catch((error: unknown) => log.warn("a connection could not be closed", { error }));
}

function scheduleRetry(state: ConnectionState, error: unknown): void {
  const { entry, random } = state.deps;
  const { enabled, auto_connect } = entry();
  // A rejected connection is not retried.
  const isRejected =
    [401, 403].includes(getRejectionStatus(error)) || (AppError.is(error) && error.code === "permission_denied");
  if (!enabled || !(auto_connect || state.isWanted) || isRejected) return;
  const wait = random() * Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** state.tries);
  state.tries += 1;
  const { epoch } = state;
  clearTimeout(state.retry);
  state.retry = setTimeout(() => {
    if (epoch === state.epoch) connect(state).catch(() => {}); // noted as last_error, and tried again
  }, wait);
}

async function disconnect(state: ConnectionState): Promise<void> {
  const wasConnecting = state.attempt !== undefined;
  clearTimeout(state.retry);
  clearTimeout(state.refresh);
  state.epoch += 1;
  Object.assign(state, { isWanted: false, tries: 0, attempt: undefined } satisfies Partial<ConnectionState>);
  await state.cancelOpening?.();
  const own = state.live;
  Object.assign(state, {
    live: undefined,
    tools: [],
    serverInfo: null,
    downSince: null,
  } satisfies Partial<ConnectionState>);
  if (own || wasConnecting) state.deps.onChange();
  await own?.dialed.close(own.client);
}

async function call(state: ConnectionState, request: RemoteCall): Promise<CallToolResult> {
  const { semaphore } = state;
  await semaphore.acquire(request.signal);
  try {
    return await callOnce(state, request, false);
  } finally {
    semaphore.release();
    const own = state.live;
    if (own && own.calls >= MAX_CALLS_PER_CLIENT && semaphore.getAcquiredCount() === 0) replaceClient(state, own);
  }
}

async function callOnce(state: ConnectionState, request: RemoteCall, isRepeat: boolean): Promise<CallToolResult> {
  const { entry, mask } = state.deps;
  const own = state.live;
  if (!own) throw mcpBridgeTexts.error("unavailable", "not_connected", { id: entry().id });
  own.calls += 1;
  try {
    return await own.client.call(request, entry().timeout_s * 1000);
  } catch (error) {
    request.signal.throwIfAborted();
    if (getHttpStatus(error) !== 404) {
      if (isConnectionFailure(error) || isSignInRequired(error)) onConnectionLost(state, own, error);
      throw toAppError(error, toReason({ error, cause: own.dialed.cause(), mask }));
    }
    // The session is gone after a restart of the server, so it is opened again.
    onConnectionLost(state, own, error);
    await connect(state);
    if (request.isRead && !isRepeat) return callOnce(state, request, true);
    throw mcpBridgeTexts.error("unavailable", "outcome_unknown", {}, { cause: error });
  }
}

function replaceClient(state: ConnectionState, own: OpenConnection): void {
  state.live = undefined;
  release(state, own);
  // Reconnects in the background, because clients should not see a short interruption.
  begin(state).catch((error: unknown) => state.deps.log.warn("a server could not be reconnected", { error }));
}

function getProtocolVersion({ transport }: DialedTransport): string | undefined {
  return (transport as { readonly protocolVersion?: string }).protocolVersion;
}
