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

/** Minimum timeout of the handshake; packages that are fetched first get the entry's own timeout. */
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
  /** Returns true when a server's mark is that of this installation. */
  readonly isOurs: InstallationId["isOwn"];
  readonly clock: Clock;
  readonly log: Logger;
  /** Random number from 0 to 1. */
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
  /** Time since which a required connection is down; null while connected, and after a manual disconnect. */
  readonly downSince: string | null;
}

/** A connection to one server. It polls nothing, so an unused connection costs nothing. */
export interface Connection {
  status(): ConnectionStatus;
  tools(): readonly RemoteTool[];
  warnings(): readonly ToolWarning[];
  /** Connects; joins an attempt that is running, and returns at once when connected. */
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

export function createConnection(deps: ConnectionDeps): Connection {
  const { entry, dial, isOurs, version, clock, log, random, mask, onChange } = deps;
  let live: OpenConnection | undefined;
  /** True from a connect, manual or automatic, until a disconnect. */
  let isWanted = false;
  let attempt: Promise<void> | undefined;
  /** Cancels the connection attempt in progress; undefined when there is none. */
  let opening: (() => Promise<void>) | undefined;
  /** Counter raised by each disconnect; results of an older epoch are ignored. */
  let epoch = 0;
  let retry: NodeJS.Timeout | undefined;
  let tries = 0;
  let serverInfo: ServerInfo | null = null;
  let lastConnectedAt: string | null = null;
  let lastReason: StoredReason | undefined;
  let downSince: string | null = null;
  let tools: readonly RemoteTool[] = [];
  let warnings: readonly ToolWarning[] = [];
  let refresh: NodeJS.Timeout | undefined;
  const semaphore = createSemaphore(MAX_CONCURRENT_CALLS);

  const getInitializeTimeoutMs = () => Math.max(INITIALIZE_MS, entry().timeout_s * 1000);
  const read = (client: RemoteClient) => client.readTools(AbortSignal.timeout(getInitializeTimeoutMs()));
  const applyListing = (found: ToolListing) => {
    tools = found.tools;
    warnings = found.warnings;
  };
  const refreshTools = async (own: OpenConnection) => {
    const found = await read(own.client);
    if (live !== own) return;
    applyListing(found);
    onChange();
  };
  const open = async (): Promise<OpenConnection> => {
    const wanted = entry();
    const { createRemoteClient } = await import("./remote-client.ts");
    const line = await dial(wanted);
    const client = createRemoteClient(version);
    const giveUp = () => line.close(client);
    opening = giveUp;
    try {
      await client.connect(line.transport, getInitializeTimeoutMs());
      const found = await read(client);
      // Otherwise models would get every tool twice, and call it with the rights of a key instead of the requester's.
      if (wanted.id !== BUILTIN_ID && (await isOurs(found.mark)))
        throw mcpBridgeTexts.error("permission_denied", "ourselves");
      return { client, dialed: line, listing: found, calls: 0 };
    } catch (error) {
      const reason = toReason({ error, cause: line.cause(), mask });
      await line.close(client);
      throw toAppError(error, reason);
    } finally {
      if (opening === giveUp) opening = undefined;
    }
  };
  const watch = (own: OpenConnection) => {
    own.client.watch({
      onToolsChanged() {
        clearTimeout(refresh);
        refresh = setTimeout(() => {
          refreshTools(own).catch((error: unknown) => log.warn("tools could not be reloaded", { error }));
        }, DEBOUNCE_MS);
      },
      onClosed: () =>
        onConnectionLost(own, new ServerConnectionError(mcpBridgeTexts.error("unavailable", "server_closed"))),
      onError(error) {
        log.debug("a connection to a server reported an error", { server: entry().id, error });
        // The library tries twice to reopen a stream, then stops.
        if (/Maximum reconnection attempts/.test(error.message)) onConnectionLost(own, error);
      },
    });
  };
  const onConnectionLost = (own: OpenConnection, error: unknown) => {
    if (live !== own) return;
    live = undefined;
    tools = [];
    lastReason = toStoredReason({ error, cause: own.dialed.cause(), mask });
    downSince ??= new Date(clock.now()).toISOString();
    log.info("a server disconnected", { server: entry().id, reason: lastReason.error });
    release(own);
    onChange();
    scheduleRetry(error);
  };
  const release = ({ client, dialed: line }: OpenConnection) => {
    line.close(client).catch((error: unknown) => log.warn("a connection could not be closed", { error }));
  };
  const scheduleRetry = (error: unknown) => {
    const { enabled, auto_connect } = entry();
    // A rejected connection is not retried.
    const isRejected =
      [401, 403].includes(getRejectionStatus(error)) || (AppError.is(error) && error.code === "permission_denied");
    if (!enabled || !(auto_connect || isWanted) || isRejected) return;
    const wait = random() * Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** tries);
    tries += 1;
    const at = epoch;
    clearTimeout(retry);
    retry = setTimeout(() => {
      if (at === epoch) connect().catch(() => {}); // noted as last_error, and tried again
    }, wait);
  };
  const connect = (): Promise<void> => {
    if (live) return Promise.resolve();
    if (attempt) return attempt;
    const mine = begin();
    onChange();
    return mine;
  };
  const begin = () => {
    attempt = establish();
    return attempt;
  };
  const establish = async () => {
    clearTimeout(retry);
    const at = epoch;
    try {
      const opened = await open();
      if (at !== epoch) {
        release(opened);
        throw mcpBridgeTexts.error("conflict", "disconnected");
      }
      attempt = undefined;
      live = opened;
      isWanted = true;
      applyListing(opened.listing);
      watch(opened);
      tries = 0;
      const { name = "", version: theirs = "" } = opened.client.serverVersion() ?? {};
      const protocol_version = getProtocolVersion(opened.dialed) ?? "";
      serverInfo = { name: sanitizeText(name, 200), version: sanitizeText(theirs, 100), protocol_version };
      lastConnectedAt = new Date(clock.now()).toISOString();
      lastReason = undefined;
      downSince = null;
      onChange();
    } catch (error) {
      if (at === epoch) {
        attempt = undefined;
        lastReason = toStoredReason({ error, mask });
        downSince ??= new Date(clock.now()).toISOString();
        onChange();
        scheduleRetry(error);
      }
      throw error;
    }
  };
  const callOnce = async (asked: RemoteCall, isRepeat: boolean): Promise<CallToolResult> => {
    const own = live;
    if (!own) throw mcpBridgeTexts.error("unavailable", "not_connected", { id: entry().id });
    own.calls += 1;
    try {
      return await own.client.call(asked, entry().timeout_s * 1000);
    } catch (error) {
      asked.signal.throwIfAborted();
      if (getHttpStatus(error) !== 404) {
        if (isConnectionFailure(error) || isSignInRequired(error)) onConnectionLost(own, error);
        throw toAppError(error, toReason({ error, cause: own.dialed.cause(), mask }));
      }
      // The session is gone after a restart of the server, so it is opened again.
      onConnectionLost(own, error);
      await connect();
      if (asked.isRead && !isRepeat) return callOnce(asked, true);
      throw mcpBridgeTexts.error("unavailable", "outcome_unknown", {}, { cause: error });
    }
  };

  return {
    status: () => ({
      isConnected: live !== undefined,
      isConnecting: attempt !== undefined,
      serverInfo,
      lastConnectedAt,
      lastError: lastReason?.error ?? null,
      lastErrorDetail: lastReason?.detail ?? null,
      downSince,
    }),
    tools: () => tools,
    warnings: () => warnings,
    connect,
    async disconnect() {
      epoch += 1;
      isWanted = false;
      clearTimeout(retry);
      clearTimeout(refresh);
      tries = 0;
      const wasConnecting = attempt !== undefined;
      attempt = undefined;
      await opening?.();
      const own = live;
      live = undefined;
      tools = [];
      serverInfo = null;
      downSince = null;
      if (own || wasConnecting) onChange();
      await own?.dialed.close(own.client);
    },
    async call(asked) {
      await semaphore.acquire(asked.signal);
      try {
        return await callOnce(asked, false);
      } finally {
        semaphore.release();
        const own = live;
        if (own && own.calls >= MAX_CALLS_PER_CLIENT && semaphore.getAcquiredCount() === 0) recycle(own);
      }
    },
  };

  function recycle(own: OpenConnection): void {
    if (live !== own) return;
    live = undefined;
    release(own);
    // Reconnects in the background, because clients should not see a short interruption.
    begin().catch((error: unknown) => log.warn("a server could not be reconnected", { error }));
  }
}

function getProtocolVersion({ transport }: DialedTransport): string | undefined {
  return (transport as { readonly protocolVersion?: string }).protocolVersion;
}
